"""Function words and letters of languages that :mod:`paberki.identification` lacks.

A few dozen words per language are enough to recognise running text in it, which is all that the judge needs.
"""

from __future__ import annotations

from typing import Final

MORE_FUNCTION_WORDS: Final[dict[str, str]] = {
    "sv": """och i att det som en på är av för med den till inte har de ett om var men han hon jag vi ni man så från
        eller när kan ska skulle också efter vid mycket än nu bara blev vara sig sin mot under över alla""",
    "da": """og i at det som en på er af for med den til ikke har de et om var men han hun jeg vi man så fra eller når
        kan skal også efter ved meget end nu kun blev være sig sin mod under over alle skulle""",
    "no": """og i å det som en på er av for med den til ikke har de et om var men han hun jeg vi man så fra eller når
        kan skal også etter ved mye enn nå bare ble være seg sin mot under over alle skulle""",
    "nl": """de het een en van in is dat op te zijn met voor niet die aan er om ook als bij maar dan nog naar uit werd
        door over heeft hebben wordt worden deze dit kan geen meer zich tot was had of ze hij wij""",
    "pt": """de a o que e do da em um para com não uma os no se na por mais as dos como mas ao ele das à seu sua ou
        quando muito nos já também só pelo pela até isso foi são tem ser ela entre era depois sem mesmo""",
    "ro": """și în de la a cu pe din nu care este că pentru o un mai au fost să se sunt ce sau dar dacă după prin
        această acest ale lui ei cel cea fi va ar iar între până foarte doar şi""",
    "fi": """ja on ei se että oli hän mutta ovat joka kun myös niin kuin vain jos mukaan sen ole tai jo tämä olla
        jälkeen sekä sitä siitä voi eivät olivat hänen joka jotka mikä nyt vielä kanssa ennen""",
    "et": """ja on ei et see oli ka aga mis kui oma või ning siis kes seda selle nii välja juba veel ainult pärast tema
        nad mida ole olid kõik selles sellest enne koos mille ma me""",
    "lv": """un ir ka ar no uz par tas bet kas arī lai pie pēc kā vai tiek bija tikai jau nav to viņš šo gan līdz
        viņa tā šis tad ļoti kad kur vēl vairāk savu""",
    "lt": """ir kad yra į su iš tai bet kaip o už apie ar jis buvo dar nuo jau tik po ne prie jo kai labai jos savo
        kurie kuris arba iki nėra taip pat tačiau""",
    "tr": """ve bir bu için da de ile olarak çok daha olan gibi ne kadar sonra en ama var her o değil ise ya mi göre
        olduğu oldu olduğunu şey diye ancak hem tüm kendi içinde""",
    "ca": """de la que i el a en les un per amb del una els no és se al com més però també són ha o va seva seu aquest
        aquesta han hi dels entre sobre quan molt fins""",
    "sq": """të dhe në e për me një që nga është se ka më kjo por si janë nuk ku ai do u i ishte kishte tij saj ky edhe
        gjatë pas mund""",
}

MORE_LETTERS: Final[dict[str, str]] = {
    "sv": "åäöé",
    "da": "æøåé",
    "no": "æøåé",
    "nl": "ëïéóè",
    "pt": "ãõáâàçéêíóôú",
    "ro": "ăâîșşțţ",
    "fi": "äöå",
    "et": "äöõüšž",
    "lv": "āčēģīķļņšūž",
    "lt": "ąčęėįšųūž",
    "tr": "çğıöşüâî",
    "ca": "àçèéíïòóúü",
    "sq": "ëç",
}
"""The non-ASCII letters of each language."""
