"""The twenty topics of hrWaC as P1 Table 3 has them: name, share in per cent, first words, whether slWaC has it too."""

from __future__ import annotations

from typing import Final

TOPICS: Final = (
    ("crime", 5.3, "policija sud godina osoba slučaj zatvor kazna sat", False),
    ("law", 3.0, "zakon tema odluka pravo postupak sud članak osoba", True),
    ("finance", 7.1, "godina kuna milijun tvrtka cijena banka euro tržište", True),
    ("sports", 2.0, "utrka mjesto godina natjecanje prvenstvo vrijeme sezona", True),
    ("soccer", 4.8, "utakmica igrač klub momčad minuta pobjeda liga sezona", False),
    ("automoto", 3.8, "motor automobil vozilo model boja auto sustav dio", True),
    ("web", 4.8, "dan godina stranica članak web informacija rubrika", False),
    ("IT", 4.2, "korisnik internet uređaj igra stranica slika računalo program", True),
    ("construction", 5.5, "grad područje cesta dio voda godina stan kuća zgrada prostor", False),
    ("local themes", 7.0, "godina grad županija dan škola sat udruga zagreb izložba rad", True),
    ("education", 6.4, "rad godina projekt program škola razvoj sustav područje", True),
    ("health", 4.2, "bolest dan hrana voda godina koža lijek liječnik tijelo ulje", True),
    ("travel", 3.8, "hotel brod sat more mjesto otok grad godina dan soba", True),
    ("family", 9.3, "čovjek dan vrijeme mi život žena put djeca stvar godina", True),
    ("religion", 3.7, "čovjek crkva život bog svijet knjiga vrijeme godina riječ", True),
    ("forum", 3.1, "mi čovjek stvar dan vec jel problem par kajati godina", False),
    ("movies", 6.2, "film godina svijet priča uloga glumica žena glumac serija", True),
    ("music", 3.7, "pjesma album koncert godina glazba festival publika", True),
    ("regional politics", None, "", True),
    ("domestic politics", None, "", True),
)
"""None where the table could not be read with certainty."""
