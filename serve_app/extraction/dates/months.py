"""Names of months, and years of other eras than the common one."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from babel import Locale

from serve_app.extraction.plain import same_length_plain

# Stems are enough: "Sept", "septembre", "septiembre" all begin alike. Longer stems win over shorter ones.
_STEMS: dict[int, str] = {
    1: "jan januar january janvier janv ene enero genn gennaio gen januari jän stycz stycznia styczen oca "
    "ocak led leden ledna січня января януари януар ιανουαριου јануар januarie ianuarie ian janvaris "
    "janvari tammikuuta tammikuu jaanuar sausio sausis siječnja siječanj",
    2: "feb februar february fév févr février fev febrero febbraio fevereiro lut luty lutego şub şubat únor "
    "února un лютого февраля февруари фебруар φεβρουαριου vasario vasaris helmikuuta helmikuu veebruar "
    "veljače veljača pebruari",
    3: "mar march märz mrz maart mrt mars marzo março marzec marca mart bře březen března березня марта март "
    "μαρτιου marcius kovo kovas maaliskuuta maaliskuu ožujka ožujak",
    4: "apr april avr avril abr abril aprile kwi kwiecień kwietnia nis nisan dub duben dubna квітня апреля "
    "април απριλιου balandžio balandis huhtikuuta huhtikuu travnja travanj",
    5: "may mai mei mayo maggio mag maio maj maja mayıs květen května kvě травня мая май мај μαιου gegužės "
    "gegužė toukokuuta toukokuu svibnja svibanj",
    6: "jun june juni juin junio giugno giu junho cze czerwiec czerwca haz haziran čer červen června червня "
    "июня юни јун ιουνιου iunie birželio birželis kesäkuuta kesäkuu juuni lipnja lipanj",
    7: "jul july juli juil juillet julio luglio lug julho lip lipiec lipca tem temmuz červenec července čvc "
    "липня июля юли јул ιουλιου iulie liepos liepa heinäkuuta heinäkuu juuli srpnja srpanj",
    8: "aug august août aout ago agosto augustus sie sierpień sierpnia ağu ağustos srp srpen srpna серпня "
    "августа август αυγουστου rugpjūčio rugpjūtis elokuuta elokuu kolovoza kolovoz avgust agustus",
    9: "sep sept september septembre septiembre set settembre setembro wrz wrzesień września eyl eylül zář "
    "září вересня сентября септември септембар σεπτεμβριου septembar septembrie septembris septembri "
    "szept szeptember rugsėjo rugsėjis syyskuuta syyskuu rujna rujan",
    10: "oct october okt oktober octobre octubre ott ottobre out outubro paź październik października eki "
    "ekim říj říjen října жовтня октября октомври октобар οκτωβριου oktobar octombrie oktobris oktobri "
    "oktoober spalio spalis lokakuuta lokakuu",
    11: "nov november novembre noviembre novembro lis listopad listopada kas kasım листопада ноября ноември "
    "новембар νοεμβριου novembar noiembrie novembris novembri nopember lapkričio lapkritis marraskuuta "
    "marraskuu studenoga studenog",
    12: "dec december dez dezember déc décembre dic diciembre dicembre dezembro gru grudzień grudnia ara "
    "aralık pro prosinec prosince грудня декабря декември децембар δεκεμβριου decembar decembrie "
    "decembris decembri desember detsember gruodžio gruodis joulukuuta joulukuu prosinca",
}

# Languages of which the names of CLDR are known, too. Where two of them call different months alike, neither counts.
_OF_CLDR = (
    "af ar ar_SY az be bn ca cy da de el en es et eu fa fi fil fr ga gl he hi hr hu hy id is it ka kk ko lt lv mk mn "
    "mr ms mt nb ne nl pa pl pt ro ru sk sl sq sr sv sw ta te th tr uk ur uz vi"
)
_SHORTEST = 3
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
_THAI = range(0x0E00, 0x0E80)
# Before the first year of an era of Japan; of the Republic of China; of Buddha.
_ERAS = {"令和": 2018, "令": 2018, "r": 2018, "平成": 1988, "h": 1988, "昭和": 1925, "民国": 1911, "民國": 1911}
_MINGUO, _BUDDHIST = 1911, 543


def month_names() -> Mapping[str, int]:
    """The number of each month by its names, as `same_length_plain` writes them; the beginning of one is enough."""
    own = {same_length_plain(stem): month for month, stems in _STEMS.items() for stem in stems.split()}
    named: dict[str, set[int]] = defaultdict(set)
    for name, month in _names_of_cldr():
        named[name].add(month)
    return {name: months.pop() for name, months in named.items() if len(months) == 1} | own


def _names_of_cldr() -> Iterator[tuple[str, int]]:
    for language in _OF_CLDR.split():
        months = Locale.parse(language).months
        for form in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for month, name in months[form][width].items():
                    plain = same_length_plain(name).strip(" .")
                    if len(plain) >= _SHORTEST and not any(map(str.isdecimal, plain)):
                        yield plain, month


def month_of_roman(numeral: str) -> int:
    """The month of a numeral in small letters from "i" to "xii"."""
    return _ROMAN.index(numeral) + 1


def year_of_era(era: str, year: str) -> int:
    """The year of the common era for a year of an era of Japan, whose first is called 元, or of the Republic of
    China."""
    return _ERAS[era] + (1 if year == "元" else int(year))


def year_of_minguo(year: int) -> int:
    """The year of the common era for one of the Republic of China."""
    return year + _MINGUO


def year_of_buddha(year: int) -> int:
    """The year of the common era for one of the Buddhist era, of which perhaps only the last two digits are printed."""
    return year - _BUDDHIST + (0 if year > 99 else 2500)


def is_thai(name: str) -> bool:
    """Whether the name of a month is Thai: its year is of the Buddhist era."""
    return any(ord(character) in _THAI for character in name)
