"""Slovak words as Czech ones, where a sound law leads from one to the other and a dictionary knows the result.

The open Czech treebanks are laws and science; Slovak ones have fiction and news. Words with their Czech spelling teach
a tagger and a parser more than Slovak ones. Of all spellings that the laws allow, that with fewest changes counts which
the dictionary of simplemma has; a word without one keeps its spelling, but for letters that Czech does not have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice

from simplemma.strategies.dictionaries.dictionary_factory import DefaultDictionaryFactory

LAWS: dict[str, tuple[str, ...]] = {
    "ľ": ("l",), "ĺ": ("l", "lu", "lou"), "ŕ": ("r",), "ô": ("ů", "o"), "ä": ("a", "ě", "e", "í"), "dz": ("z", "dz"),
    "ia": ("í", "a", "e", "ie", "ia"), "ie": ("í", "ě", "e", "é", "ie"), "iu": ("í", "iu", "u", "i"), "ť": ("t", "ť"), "re": ("re", "ře"),
    "ri": ("ri", "ři"), "rí": ("rí", "ří"), "ré": ("ré", "ře"), "r": ("r", "ř"), "o": ("o", "e", "ů"), "a": ("a", "e", "á", "ě"),
    "á": ("á", "í", "a"), "u": ("u", "i", "ou"), "ú": ("ou", "í", "ú", "u"), "e": ("e", "ě", "é"), "ej": ("ej", "é", "eji"), "y": ("y", "ý"),
    "i": ("i", "y", "í"), "í": ("í", "ý", "i"), "ou": ("ou", "í"), "ov": ("ov", "ů"), "om": ("om", "em", "ům", "ě"), "šť": ("št", "šť"),
    "sť": ("st", "st"), "é": ("é", "e"), "š": ("š", "s"), "d": ("d", "ď"), "t": ("t", "ť"), "n": ("n", "ň"),
}  # fmt: skip
"""Letters in Slovak -> letters in Czech, the likeliest first."""
_PAIRS = """
sa:se aj:i čo:co ako:jako alebo:nebo keď:když keďže:protože lebo:neboť pre:pro pri:při som:jsem sme:jsme
ste:jste sú:jsou bol:byl bola:byla bolo:bylo boli:byli iba:jen len:jen tiež:také ešte:ještě teraz:teď
potom:potom preto:proto však:však už:už tu:tu tam:tam kde:kde veľmi:velmi vždy:vždy nikdy:nikdy
pretože:protože aby:aby hoci:ačkoli avšak:avšak ani:ani či:či nie:ne nič:nic niečo:něco niekto:někdo
nikto:nikdo kto:kdo každý:každý iný:jiný iné:jiné iná:jiná viac:více menej:méně dnes:dnes včera:včera
zajtra:zítra opäť:opět znova:znovu práve:právě asi:asi snáď:snad možno:možná treba:třeba takto:takto
cez:přes medzi:mezi bez:bez okrem:kromě proti:proti podľa:podle počas:během pred:před po:po zo:ze so:se
ku:ke vo:ve nad:nad pod:pod jeho:jeho jej:její ich:jejich ho:ho mu:mu ju:ji mne:mně mňa:mne ma:mě ťa:tě
teba:tebe nás:nás nám:nám vás:vás vám:vám oni:oni ony:ony ja:já ty:ty on:on ona:ona ono:ono my:my vy:vy
byť:být je:je nie:ne bude:bude budú:budou by:by mal:měl mala:měla má:má majú:mají môže:může môžu:mohou
musí:musí ktorý:který ktorá:která ktoré:které ktorí:kteří ktorého:kterého ktorej:které ktorú:kterou
ktorých:kterých ktorým:kterým ktorom:kterém
"""
WORDS = dict(pair.split(":") for pair in _PAIRS.split())
"""Common words that no law leads from."""
FEWEST, MOST = 3, 400
"""Shorter words are taken from the list alone; no more spellings than that are tried."""


@lru_cache(maxsize=1)
def _dictionary() -> Mapping[str, str]:
    return DefaultDictionaryFactory().get_dictionary("cs")


def _is_word(word: str) -> bool:
    return word in _dictionary()


@lru_cache(maxsize=1 << 18)
def czech_word(word: str) -> str:
    """A Slovak word as it would be in Czech."""
    small = word.lower()
    if small in WORDS:
        return _like(WORDS[small], word)
    if len(small) < FEWEST or not small.isalpha():
        return word
    if small.startswith("naj"):
        small = f"nej{small[3:]}"
    spelling = next((one for one in islice(_spellings(small), MOST) if _is_word(one)), None)
    return _like(spelling or _letters(small), word)


def _letters(small: str) -> str:
    for ours, theirs in (("ľ", "l"), ("ĺ", "l"), ("ŕ", "r"), ("ô", "ů"), ("ä", "ě")):
        small = small.replace(ours, theirs)
    return f"{small[:-1]}t" if small.endswith("ť") else small


def _like(spelling: str, word: str) -> str:
    if word.isupper() and len(word) > 1:
        return spelling.upper()
    return spelling[:1].upper() + spelling[1:] if word[:1].isupper() else spelling


def _spellings(word: str) -> Iterator[str]:
    """Spellings with few changes first."""
    for changes in range(4):
        yield from _changed(word, 0, changes)


def _changed(word: str, at: int, changes: int) -> Iterator[str]:
    """All spellings from a place on that have so many letters other than the first choice."""
    if at >= len(word):
        if changes == 0:
            yield ""
        return
    for size in (2, 1):
        letters = word[at : at + size]
        if len(letters) == size and (size == 1 or letters in LAWS):
            for number, choice in enumerate(LAWS.get(letters, (letters,))):
                cost = int(number > 0 if LAWS.get(letters, (letters,))[0] != letters or number == 0 else 1)
                if cost <= changes:
                    for rest in _changed(word, at + size, changes - cost):
                        yield choice + rest
