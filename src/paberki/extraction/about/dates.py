"""Dates as pages write them: ISO 8601, HTTP, numbers, and month names in some thirty languages.

No clock is read: the caller rules out dates that are too late. The time of day and the zone are left out;
a date is the day that the page wrote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Final

EARLIEST: Final = date(1990, 1, 1)
LATEST: Final = date(2100, 1, 1)

MONTHS: Final[dict[str, str]] = {
    "en": "january,jan february,feb march,mar april,apr may june,jun july,jul august,aug september,sept,sep october,oct "
    "november,nov december,dec",
    "de": "januar,jänner,jan februar,feber,feb märz,mär,mrz april,apr mai juni,jun juli,jul august,aug september,sep,sept "
    "oktober,okt november,nov dezember,dez",
    "nl": "januari,jan februari,feb maart,mrt april,apr mei juni,jun juli,jul augustus,aug september,sep,sept oktober,okt "
    "november,nov december,dec",
    "sv": "januari,jan februari,feb mars,mar april,apr maj juni,jun juli,jul augusti,aug september,sep,sept oktober,okt "
    "november,nov december,dec",
    "da": "januar,jan februar,feb marts,mar april,apr maj juni,jun juli,jul august,aug september,sep,sept oktober,okt "
    "november,nov december,dec",
    "no": "januar,jan februar,feb mars,mar april,apr mai juni,jun juli,jul august,aug september,sep,sept oktober,okt "
    "november,nov desember,des",
    "fi": "tammikuuta,tammikuu,tammi helmikuuta,helmikuu,helmi maaliskuuta,maaliskuu,maalis huhtikuuta,huhtikuu,huhti "
    "toukokuuta,toukokuu,touko kesäkuuta,kesäkuu,kesä heinäkuuta,heinäkuu,heinä elokuuta,elokuu,elo "
    "syyskuuta,syyskuu,syys lokakuuta,lokakuu,loka marraskuuta,marraskuu,marras joulukuuta,joulukuu,joulu",
    "fr": "janvier,janv février,fevrier,févr,fév mars avril,avr mai juin juillet,juil août,aout septembre,sept octobre,oct "
    "novembre,nov décembre,decembre,déc",
    "es": "enero,ene febrero,feb marzo,mar abril,abr mayo,may junio,jun julio,jul agosto,ago septiembre,setiembre,sept,sep "
    "octubre,oct noviembre,nov diciembre,dic",
    "pt": "janeiro,jan fevereiro,fev março,marco,mar abril,abr maio,mai junho,jun julho,jul agosto,ago setembro,set "
    "outubro,out novembro,nov dezembro,dez",
    "it": "gennaio,gen febbraio,feb marzo,mar aprile,apr maggio,mag giugno,giu luglio,lug agosto,ago settembre,set,sett "
    "ottobre,ott novembre,nov dicembre,dic",
    "ro": "ianuarie,ian februarie,feb martie,mar aprilie,apr mai iunie,iun iulie,iul august,aug septembrie,sept,sep "
    "octombrie,oct noiembrie,noi,nov decembrie,dec",
    "pl": "stycznia,styczeń,sty lutego,luty,lut marca,marzec,mar kwietnia,kwiecień,kwi maja,maj czerwca,czerwiec,cze "
    "lipca,lipiec,lip sierpnia,sierpień,sie września,wrzesień,wrz października,październik,paź listopada,listopad,lis "
    "grudnia,grudzień,gru",
    "cs": "ledna,leden,led února,únor,úno března,březen,bře dubna,duben,dub května,květen,kvě června,červen,čvn "
    "července,červenec,čvc srpna,srpen,srp září,zář října,říjen,říj listopadu,listopad,lis prosince,prosinec,pro",
    "sk": "januára,január,jan februára,február,feb marca,marec,mar apríla,apríl,apr mája,máj júna,jún júla,júl "
    "augusta,august,aug septembra,september,sep októbra,október,okt novembra,november,nov decembra,december,dec",
    "sl": "januarja,januar,jan februarja,februar,feb marca,marec,mar aprila,april,apr maja,maj junija,junij,jun "
    "julija,julij,jul avgusta,avgust,avg septembra,september,sep oktobra,oktober,okt novembra,november,nov "
    "decembra,december,dec",
    "hr": "siječnja,siječanj,sij veljače,veljača,velj ožujka,ožujak,ožu travnja,travanj,tra svibnja,svibanj,svi "
    "lipnja,lipanj,lip srpnja,srpanj,srp kolovoza,kolovoz,kol rujna,rujan,ruj listopada,listopad,lis "
    "studenoga,studenog,studeni,stu prosinca,prosinac,pro",
    "sr": "januara,januar,jan februara,februar,feb marta,mart,mar aprila,april,apr maja,maj juna,jun jula,jul "
    "avgusta,avgust,avg septembra,septembar,sep oktobra,oktobar,okt novembra,novembar,nov decembra,decembar,dec",
    "sr-Cyrl": "јануара,јануар,јан фебруара,фебруар,феб марта,март,мар априла,април,апр маја,мај јуна,јун јула,јул "
    "августа,август,авг септембра,септембар,сеп октобра,октобар,окт новембра,новембар,нов децембра,децембар,дец",
    "mk": "јануари февруари март април мај јуни јули август септември октомври ноември декември",
    "bg": "януари,яну февруари,фев март април,апр май юни юли август,авг септември,сеп октомври,окт ноември,ное "
    "декември,дек",
    "ru": "января,январь,янв февраля,февраль,фев марта,март,мар апреля,апрель,апр мая,май июня,июнь,июн июля,июль,июл "
    "августа,август,авг сентября,сентябрь,сен,сент октября,октябрь,окт ноября,ноябрь,ноя,нояб декабря,декабрь,дек",
    "uk": "січня,січень,січ лютого,лютий,лют березня,березень,бер квітня,квітень,кві травня,травень,тра "
    "червня,червень,чер липня,липень,лип серпня,серпень,сер вересня,вересень,вер жовтня,жовтень,жов "
    "листопада,листопад,лис грудня,грудень,гру",
    "hu": "január,jan február,febr,feb március,márc április,ápr május,máj június,jún július,júl augusztus,aug "
    "szeptember,szept október,okt november,nov december,dec",
    "el": "ιανουαρίου,ιανουάριος,ιαν φεβρουαρίου,φεβρουάριος,φεβ μαρτίου,μάρτιος,μαρ απριλίου,απρίλιος,απρ μαΐου,μάιος,μαϊ "
    "ιουνίου,ιούνιος,ιουν ιουλίου,ιούλιος,ιουλ αυγούστου,αύγουστος,αυγ σεπτεμβρίου,σεπτέμβριος,σεπ "
    "οκτωβρίου,οκτώβριος,οκτ νοεμβρίου,νοέμβριος,νοε δεκεμβρίου,δεκέμβριος,δεκ",
    "tr": "ocak,oca şubat,şub mart,mar nisan,nis mayıs,may haziran,haz temmuz,tem ağustos,ağu eylül,eyl ekim,eki kasım,kas "
    "aralık,ara",
    "lt": "sausio vasario kovo balandžio gegužės birželio liepos rugpjūčio rugsėjo spalio lapkričio gruodžio",
    "lv": "janvāris,janvārī februāris,februārī marts,martā aprīlis,aprīlī maijs,maijā jūnijs,jūnijā jūlijs,jūlijā "
    "augusts,augustā septembris,septembrī oktobris,oktobrī novembris,novembrī decembris,decembrī",
    "et": "jaanuar,jaan veebruar,veebr märts aprill mai juuni juuli august september,sept oktoober,okt november,nov "
    "detsember,dets",
    "id": "januari,jan februari,feb maret,mar april,apr mei juni,jun juli,jul agustus,agu september,sep oktober,okt "
    "november,nov desember,des",
}
"""Names of the months per language, twelve groups each: the form after a day's number first, then others."""

_AM: Final = r"(?<![\d.,/:-])"
_YMD: Final = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(?:\s?[-/.‐–]\s?|\s?年\s?|\s?년\s?)(0?[1-9]|1[0-2])(?:\s?[-/.‐–]\s?|\s?月\s?|\s?월\s?)"
    r"(3[01]|[12]\d|0?[1-9])(?!\d)"
)
_DMY: Final = re.compile(
    _AM + r"(0?[1-9]|[12]\d|3[01])(\s?[./‐–-]\s?)(0?[1-9]|[12]\d|3[01])\s?[./‐–-]\s?((?:19|20)\d\d)(?!\d)"
)
_DAY_NAME: Final = re.compile(
    r"(?<!\d)(3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th|er|[ºª.])?[\s-]{1,2}(?:de\s|of\s|d['’])?([^\W\d_]{3,12})[.,]{0,2}[\s-]"
    r"(?:de\s|del\s)?((?:19|20)\d\d)(?!\d)"
)
_NAME_DAY: Final = re.compile(
    r"(?<!\w)([^\W\d_]{3,12})\.?\s{1,2}(3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?\s?,?\s{1,2}((?:19|20)\d\d)(?!\d)"
)
_YEAR_NAME: Final = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(?:\.|,| m\.)?\s([^\W\d_]{3,12})\.?\s(3[01]|[12]\d|0?[1-9])(?!\d)"
)
_SHORT: Final = re.compile(_AM + r"(0[1-9]|[12]\d|3[01])([./-])(0[1-9]|1[0-2])\2(\d\d)(?![\d./])")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_ISO: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?!\d)")
_COMPACT: Final = re.compile(r"\s*((?:19|20)\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])(?!\d{1,5}(?!\d))")
_EPOCH: Final = re.compile(r"\s*(1\d{9})(?:\d{3})?\s*$")


def machine_date(value: str, *, month_first: bool = False, lang: str = "") -> date | None:
    """The date in a value that is meant to be one: an attribute, a header, a field of JSON."""
    value = value.strip()[:80]
    iso = _ISO.match(value)  # nearly all of them
    if iso:
        return _day(*iso.groups())
    compact = _COMPACT.match(value)
    if compact:
        return _day(*compact.groups())
    epoch = _EPOCH.match(value)
    if epoch:
        return datetime.fromtimestamp(int(epoch.group(1)), UTC).date()
    return next((day for _, day in find_dates(value, month_first=month_first, lang=lang)), None)


def find_dates(text: str, *, month_first: bool = False, lang: str = "") -> Iterator[tuple[int, date]]:
    """Dates in running text with their places, first to last."""
    dates: dict[int, date] = {}
    if _YEAR.search(text) is None:
        return iter(())
    for match in _YMD.finditer(text):
        _put(dates, match, _day(*match.groups()))
    for match in _DMY.finditer(text):
        _put(dates, match, _numbers(match, month_first))
    for match in _DAY_NAME.finditer(text):
        _put(dates, match, _day_of_named_month(match.group(3), match.group(2), match.group(1), lang))
    for match in _NAME_DAY.finditer(text):
        _put(dates, match, _day_of_named_month(match.group(3), match.group(1), match.group(2), lang))
    for match in _YEAR_NAME.finditer(text):
        _put(dates, match, _day_of_named_month(match.group(1), match.group(2), match.group(3), lang))
    return iter(sorted(dates.items()))


def short_date(text: str, *, month_first: bool = False) -> date | None:
    """The first date whose year has two digits; only for a text that is known to be a date."""
    match = _SHORT.search(text)
    if match is None:
        return None
    first, sign, second, year = match.groups()
    if month_first and sign == "/" and int(first) <= 12:
        first, second = second, first
    return _day(f"{'20' if int(year) < 70 else '19'}{year}", second, first)


def _put(dates: dict[int, date], match: re.Match[str], day: date | None) -> None:
    if day is not None:
        dates.setdefault(match.start(), day)


def _numbers(match: re.Match[str], month_first: bool) -> date | None:
    first, sign, second, year = match.groups()
    if int(second) > 12 or (month_first and "/" in sign and int(first) <= 12):
        first, second = second, first
    return _day(year, second, first)


def _day_of_named_month(year: str, name: str, day: str, lang: str) -> date | None:
    number = month(name, lang)
    return _day(year, str(number), day) if number else None


def month(name: str, lang: str = "") -> int:
    """Number of the month of that name, 0 if it is none; the language decides where two of them differ."""
    by_language = _names().get(name.lower().rstrip("."), {})
    if not by_language:
        return 0
    return by_language.get(lang[:2].lower()) or next(iter(by_language.values()))


@lru_cache(maxsize=1)
def _names() -> dict[str, dict[str, int]]:
    names: dict[str, dict[str, int]] = {}
    for lang, months in MONTHS.items():
        for number, forms in enumerate(months.split(), 1):
            for form in forms.split(","):
                names.setdefault(form, {}).setdefault(lang[:2], number)
    return names


def _day(year: str, month: str, day: str) -> date | None:
    try:
        result = date(int(year), int(month), int(day))
    except ValueError:
        return None
    return result if EARLIEST <= result < LATEST else None
