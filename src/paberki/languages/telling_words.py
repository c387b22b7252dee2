"""Words that are typical of a language: function words, and the words in which close languages differ."""

from __future__ import annotations

from typing import Final

from paberki.languages.serbian import LATIN

FUNCTION_WORDS: Final[dict[str, str]] = {
    "hr": """i u je se na da su za od s iz o kao ali ili a do po koji koja koje koju kojih kojim što
        tko bi bio bila bilo biti će ću nije nisu sam smo ste si ga mu joj ih im me te ti to taj
        ta tog toga ovaj ova ovo onaj ono kako kad kada gdje ako jer već samo još više sve svi sva
        prema između nakon prije kod bez pri nad pod kroz uz zbog također tijekom no nego dok neki
        neke jedan jedna može mogu treba godine ima imaju bismo netko nitko svoje svoj njegov
        njihov vrlo iako zato stoga ponovno uvijek ovdje ondje prije poslije gdje nešto ništa tome
        kojem čak""",
    "sr": """i u je se na da su za od s sa iz o kao ali ili a do po koji koja koje koju kojih kojim što
        šta ko bi bio bila bilo biti će ću nije nisu sam smo ste si ga mu joj ih im me te ti to
        taj ta tog toga ovaj ova ovo onaj ono kako kad kada gde ako jer već samo još više sve svi
        sva prema između nakon posle pre kod bez pri nad pod kroz uz zbog takođe tokom nego dok
        neki neke jedan jedna može mogu treba godine ima imaju bismo neko niko svoje svoj njegov
        njihov veoma iako zato ponovo uvek ovde onde nešto ništa tome kojem čak hoće odnosno ova""",
    "sl": """in je v na da se za so ki pa z s od tudi kot po iz ne bi o pri do ob kar ali le še že bo
        bil bila bilo biti so sem smo ste si ga mu jo jih jim me te ti to ta tega tem ker če ko
        kdaj kje kako kaj kdo zelo samo več vse vsi vsa med pred pod nad brez zaradi skozi proti
        ter vendar ampak saj torej lahko mora morajo ima imajo nekaj nič njegov njen njihov svoj
        svoje katere kateri katerih katera bodo bomo niso nisem ni letih leta leto tako tem potem
        takrat zdaj danes vedno nikoli tukaj tam kjer čeprav zato prav kljub glede""",
    "cs": """a v se na je že s z do o k i to ve ze ale si po za od pro jako jeho jsou byl byla bylo být
        které který která kteří nebo však také jen aby co kdy kde jak když při tak už až ještě
        podle mezi před pod nad bez proti proto pouze jsem jsme jste není nejsou bude budou může
        mohou musí má mají mít měl jejich její tento tato toto tím tom tomu této těchto všechny
        všech všichni více velmi nebyl než ani by bych byste kvůli včetně protože pokud dnes vždy
        nikdy zde tam potom například svých své svou něco nic někdo nikdo rok roku let ji ho mu
        jim""",
    "sk": """a v sa na je že s z do o k i to vo zo ale si po za od pre ako jeho sú bol bola bolo byť
        ktoré ktorý ktorá ktorí alebo však tiež len aby čo kedy kde keď pri tak už až ešte podľa
        medzi pred pod nad bez proti preto iba som sme ste nie nebude bude budú môže môžu musí má
        majú mať mal ich jej tento táto toto tým tom tomu tejto týchto všetky všetkých všetci viac
        veľmi nebol než ani by kvôli vrátane pretože ak dnes vždy nikdy tu tam potom napríklad
        svojich svoje svoju niečo nič niekto nikto rok roku rokov ju ho mu im cez ďalej""",
    "pl": """i w na z się do nie jest to że o jak ale po za od dla są był była było być który która
        które których przez tak co czy lub oraz już tylko jeszcze też także może mogą można ma
        mają mieć jego jej ich im go mu ją tym tego tej te ten ta tych przed pod nad bez między
        przy gdy kiedy gdzie jeśli ponieważ więc jednak bardzo więcej wszystko wszystkie wszyscy
        każdy kto nic coś ktoś nikt my wy oni one on ona ono ja ty mnie nas was sobie swoje swój
        lat roku roku został została będzie będą by aby żeby albo ani choć dlatego zawsze nigdy
        tutaj""",
    "de": """der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es
        an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so
        zum war haben nur oder aber vor zur bis mehr durch man sein wurde sei kann gegen vom
        können schon wenn habe seine ihre dann unter wir soll ich eines jahr zwei diese dieser
        dieses wieder keine uns ihr ihm ihn mich mir dir was wer wo warum weil während sehr hier
        dort jetzt immer nie alle alles etwas nichts damit doch denn da ob ohne seit zwischen
        müssen muss""",
    "en": """the of and to in a is that for it as was with be by on not he his but at are this have
        from or had an they which one you were all her she there would their we him been has when
        who will no more if out so up said what its about than into them can only other time new
        some could these two may first then do any like my now over such our man me even most made
        after also did many off before must well back through years much where your way down
        should because long each just those people too how very here while why does being between""",
    "hu": """a az és hogy nem is egy ez de meg van volt azt csak el mint ha már még ki be fel le vagy
        csak mert lesz minden sem ezt akkor amely amelyek aki akik ami kell lehet után alatt
        között előtt mellett szerint által során számára ezek azok ezért azonban illetve valamint
        pedig majd most itt ott így úgy nagyon több sok két első új magyar lett voltak vannak
        lenne tud tudja én te ő mi ti ők engem neki nekem ezzel azzal ennek annak hanem soha
        mindig semmi valami valaki senki miatt felett évben év""",
    "it": """di e il la che in a per un è del non una con si le da i al della dei sono nel alla più
        come ma anche lo gli ha dal delle se ed su questo questa o nella ci ne era suo sua essere
        tra fra dopo prima quando dove perché cosa chi molto tutto tutti ogni solo ancora già poi
        così hanno stato stata stati fatto due anni anno degli dalla sul sulla alle agli ai dai
        nei nelle negli quello quella quelli loro noi voi lui lei io mi ti vi può possono deve
        senza contro verso sempre mai qui""",
    "fr": """de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il
        sont avec ou son aux d'un cette ont ses mais comme on tout nous sa fait été aussi leur
        bien peut ces y deux même très elle vous je leurs lui sans être avoir après avant où donc
        entre encore toujours jamais sous contre depuis pendant chez si moins rien quand comment
        pourquoi parce ainsi alors dont cet notre votre nos vos ils elles moi toi était sera
        étaient avait tous toutes autre autres ans c'est n'est qu'il""",
    "es": """de la que el en y a los se del las un por con no una su para es al lo como más o pero sus
        le ha me si sin sobre este ya entre cuando todo esta ser son dos también fue había era muy
        años hasta desde está mi porque qué sólo han yo hay vez puede todos así nos ni parte tiene
        él uno donde bien tiempo mismo ese ahora cada e otro después te otros aunque esa eso hace
        otra gobierno tan durante siempre día tanto ella tres sí contra según menos nunca aquí
        quien estos estas nosotros ellos""",
    "ru": """и в не на я быть он с что а по это она этот к но они мы весь который из у то за свой ее о
        же вы для от до его как все так бы был была было были если уже или ни когда только ещё еще
        может можно нет их при чтобы также более после под над без между через перед потом там
        здесь тут где кто чего этого этой этом того тем чем которые которая которых очень себя
        меня мне тебя нас вас им ему ей году лет во со об даже лишь потому поэтому однако""",
    "uk": """і в не на що з та до у за як але він вона вони ми ви я це цей ця ці той та для від по про
        його її їх їй був була було були бути є або якщо вже ще коли тільки може можна немає при
        щоб також більше після під над без між через перед потім там тут де хто чого цього цій
        цьому того тим чим який яка які яких якого дуже себе мене мені тебе нас вас їм йому році
        років зі із навіть лише тому однак проте адже бо хоча свої свій своє""",
    "bg": """и в не на е да се за от с по това но той тя те ние вие аз този тази тези който която което
        които към до при като или ако вече още когато само може няма има са беше бяха бил била
        било били съм сме сте ще би също повече след под над без между през пред там тук къде кой
        какво защо много си му ѝ им ги го я ми ти ни ви го още във със без според обаче защото
        така както всички всеки нещо нищо един една едно година години дори""",
    "mk": """и во не на е да се за од со по ова но тој таа тие ние вие јас овој оваа овие кој која кое
        кои што кон до при како или ако веќе уште кога само може нема има се беше беа бил била
        било биле сум сме сте ќе би исто повеќе потоа после под над без меѓу низ пред таму тука
        каде зошто многу си му ѝ им ги го ја ми ти ни ви според сепак бидејќи така сите секој
        нешто ништо еден една едно година години дури ова оние оној тоа""",
}
"""Frequent words without much meaning of their own, per language; Serbian is in Latin letters here."""

CONTRASTS: Final[dict[str, str]] = {
    "hr": """vrije mjest lijep ljepš ljepo uvije gdje svije svjet vijes dijet djece djeca djeci dijel
        djelo djela djelu rijek bijel cijel cijen riječ rječn tisuć kruh kruha zrak zraka zraku
        glazb sveuč tvorn vlak vlako općin europ točno točka tko netko nitko svatk uopće takođe
        također siječ velja ožujk travn sviba lipnj srpnj kolov rujan rujna listo stude prosi
        izvje vijeć gospoda nogom povij znans znano obite priop surad potpo financi kemij tijek
        slije sljed prije posli ovdje ondje dvije htjel htjet vidje živje ponedje tjeda tjedn
        nedje primj promj mijen izmje smjer smješ lječn liječ ljeka mjese mjera odjel procj ocjen
        uspje cijev snije vjetr vjera vjero vjeru djevo župan žup sabor definir organizira nazoč
        unato glede rajči juha sigurno sustav utjec ujutr zračn natje predsje djelat djelov
        ravnate prorač tijela tijelo lijek nije ćemo ovisn uvjet savje razumje razmj posje vijek
        stoljeć nasli čovje vrijed bolje priče zahtj zahti rješe rješa sjedn sjeća sjeve bijeg
        ljude trebao trebala morati reći uzeti raditi činiti napraviti učiniti promije""",
    "sr": """vreme mesto mesta mestu lepo lepa lepi lepše uvek gde svet sveta svetu svets vest vesti
        dete deca dece deci deo dela delu delov delo reka reke reku belo bela beli celo cela celu
        celi cena cene cenu reč reči hilja hleb hleba pozor vazdu muzik unive fabri voz opšti
        opšte evrop tačno tačka ko neko niko svako uopšt januar februa mart marta april aprila
        juna jula avgus septemb oktob novemb decemb izveš privr fudba istor nauči nauke nauka
        porod saopš sarad podrš finansi hemij tokom sledi slede pre posle ovde onde dve hteo htela
        hteti videl živel ponedel nedel nedelj prime prome smer smera meseca mesec meri mera
        odeljen proce oceni ocena ocene uspeh uspel uspeš sneg vetar vetra vera veru devoj definis
        bezbe sistem utica ujutru prosek odbra budže vanre takmi srpsk srbij beogr dinar skupš
        predsed posla lekar lečen saobr štamp rešen reše reši rešava zahte telo tela lek lekov
        zavis uslov savet razum razmer poset vek veka stole nasle čovek vredn priču sedni seća
        sever beg šta takođe hoće sprem pešak obezb učest ubede primen promen izmen leto
        zvani radi kaže uprkos ponovo obave""",
}
"""Beginnings of words by which Croatian and Serbian differ (P3 §1).

The first five and the first seven letters of a word are looked up, so entries of other lengths are
whole words.
"""

LETTERS: Final[dict[str, str]] = {
    "hr": "čšžćđ",
    "sr": "čšžćđ",
    "sl": "čšž",
    "cs": "áčďéěíňóřšťúůýž",
    "sk": "áäčďéíĺľňóôŕšťúýž",
    "pl": "ąćęłńóśźż",
    "de": "äöüß",
    "en": "",
    "hu": "áéíóöőúüű",
    "it": "àèéìòù",
    "fr": "àâçèéêëîïôùûüœ",
    "es": "áéíñóúü",
    "ru": "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
    "uk": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
    "bg": "абвгдежзийклмнопрстуфхцчшщъьюя",
    "mk": "абвгдѓежзѕијклљмнњопрстќуфхцчџш",
}
"""The letters beyond ASCII that a language writes; Serbian Cyrillic follows from its Latin letters."""

SERBIAN_CYRILLIC: Final = "".join(LATIN)
