"""What only pages from one country print: a table of general knowledge, by the country's currency."""

from enum import StrEnum


class Kind(StrEnum):
    """What a sign is. A hint is not a country's alone (a legal form that another has, too), or may be read into other
    words; it makes a country likelier, but proves nothing."""

    PLACE = "place"
    PHONE = "phone"
    FORM = "legal form"
    TAX = "tax"
    HINT = "hint"


Sign = tuple[Kind, str]


def _gst(rates: str) -> str:
    """A tax that many countries call GST, at the rates of one of them."""
    return rf"\bG\.?S\.?T\b.{{0,12}}\b(?:{rates})(?:\.0+)? ?%|\b(?:{rates})(?:\.0+)? ?% ?G\.?S\.?T\b"


_STATES = (
    "AL|AK|AZ|AR|CA|CO|CT|DE|DC|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|OK|"
    "OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY"
)
# Regular expressions: names of the country and of its places, calling codes, legal forms, taxes, registers.
SIGNS: dict[str, tuple[Sign, ...]] = {
    "EUR": (
        (Kind.HINT, r"\bGmbH\b"),
        (Kind.HINT, r"\bMwSt|\bUSt\b|\bUSt[.-]|Umsatzsteuer"),
        (Kind.PLACE, r"Deutschland|Germany|Österreich|Austria"),
        (Kind.PHONE, r"\+ ?(?:49|43)\b"),
        (Kind.HINT, r"\bT\.?V\.?A\b"),
        (Kind.HINT, r"\bSARL\b|\bSAS\b|\bSIRET\b|\bSIREN\b"),
        (Kind.PLACE, r"\bFrance\b"),
        (Kind.PHONE, r"\+ ?33\b"),
        (Kind.PLACE, r"\bEspaña|(?<!Port of )\bSpain\b"),
        (Kind.HINT, r"\bS\.L\.|\bN\.?I\.?F\b|\bC\.?I\.?F\b"),
        (Kind.PHONE, r"\+ ?34\b"),
        (Kind.HINT, r"\bS\.?r\.?l\b|\bS\.p\.A\b|\bSRL\b|\bSPA\b"),
        (
            Kind.HINT,
            r"\b(?:ATU\d{8}|BE ?0?\d{9}|DE ?\d{9}|ES ?[A-Z]\d{8}|FI ?\d{8}|FR ?\d{11}|IE ?\d{7}[A-Z]{1,2}|IT ?\d{11}|"
            r"LU ?\d{8}|NL ?\d{9}B\d\d|PT ?\d{9}|SI ?\d{8}|SK ?\d{10})\b",
        ),
        (Kind.HINT, r"\bP(?:artita|\.)? ?IVA\b|\bcod(?:ice|\.) fisc"),
        (Kind.PLACE, r"\bItali[ae]\b|\bItaly\b"),
        (Kind.PHONE, r"\+ ?39\b"),
        (Kind.HINT, r"\bB\.?V\b|\bBTW\b|\bKvK\b"),
        (Kind.PLACE, r"Nederland|Netherlands|Belgi|Luxembourg"),
        (Kind.PHONE, r"\+ ?3[12]\b"),
        (Kind.HINT, r"\bLda\b|\bNIPC\b|\bPortugal\b"),
        (Kind.PHONE, r"\+ ?351\b"),
        (Kind.HINT, r"\bIreland\b|\bDublin\b|\+ ?353\b"),
        (Kind.HINT, r"\bFinland\b|\bSuomi\b|\bALV\b"),
        (Kind.HINT, r"\bGreece\b|\bΑΦΜ\b"),
        (Kind.HINT, r"\bLietuva|\bLithuania\b|\bVilnius\b|\bKaunas\b|\bUAB\b|\bPVM\b|\bLT\d{9,12}\b"),
        (Kind.HINT, r"\bLatvij|\bLatvia\b|\bR[īi]ga\b|\bSIA\b|\bPVN\b|\bLV\d{11}\b"),
        (Kind.HINT, r"\bEesti\b|\bEstonia\b|\bTallinn\b|\bOÜ\b|\bEE\d{9}\b"),
        (Kind.HINT, r"\bHrvatska\b|\bCroatia\b|\bZagreb\b|\bOIB\b"),
        (Kind.HINT, r"\bSlovenij|\bSlovenia\b|\bLjubljana\b|\bDDV\b|\bSlovensk|\bSlovakia\b|\bBratislava\b"),
    ),
    "CHF": (
        (Kind.PLACE, r"\bSchweiz\b|\bSuisse\b|\bSvizzera\b|Switzerland"),
        (Kind.TAX, r"\bCHE[- ]?\d"),
        (Kind.PHONE, r"\+ ?41\b"),
        (Kind.HINT, r"\bMWST\b"),
        (Kind.PLACE, r"\bCH-\d{4}\b"),
    ),
    "GBP": (
        (Kind.PLACE, r"United Kingdom|\bEngland\b|\bScotland\b|\bWales\b"),
        (Kind.HINT, r"\bLondon\b|\bManchester\b|\bBirmingham\b"),
        (Kind.PHONE, r"\+ ?44\b"),
        (Kind.HINT, r"\bGB ?\d{3} ?\d{4} ?\d{2}\b"),
        (Kind.HINT, r"\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b"),
        (Kind.HINT, r"\bCompanies House\b|\bplc\b"),
    ),
    "USD": (
        (Kind.PLACE, rf"\b(?:{_STATES})\.?,? \d{{5}}(?:-\d{{4}})?\b"),
        (Kind.PLACE, r"\bUSA\b|\bU\.S\.A\b|United States"),
        (Kind.TAX, r"\b[Ss]ales [Tt]ax\b|\bSALES TAX\b"),
        (Kind.HINT, r"\bEIN\b|\bLLC\b|\b(?:Inc|INC)\b(?![/.]? ?(?:[Ee]xc|VAT|GST|[Tt]ax))"),
        (Kind.HINT, r"\b[Gg]ratuity\b|\bGRATUITY\b"),
        # Others have its money.
        (
            Kind.PLACE,
            r"\bEcuador\b|\bGuayaquil\b|\bQuito\b|\bGuayas\b|\bPichincha\b|\bEl Salvador\b|\bSan Salvador\b",
        ),
        (Kind.TAX, r"(?i:\bclave de acceso\b)"),
    ),
    "CAD": (
        (Kind.PLACE, r"\bCanada\b|\bOntario\b|\bQu[ée]bec\b|\bAlberta\b|British Columbia"),
        (Kind.HINT, r"\b[A-Z]\d[A-Z] ?\d[A-Z]\d\b"),
        (Kind.TAX, r"\bHST\b|\bQST\b|\bT[.,]?V[.,]?Q\b|\bT[.,]?P[.,]?S\b|\bPST\b"),
        (Kind.PLACE, r"\bMontr[ée]al\b|\bToronto\b|\bVancouver\b|\bCalgary\b|\bOttawa\b|\bEdmonton\b|\bWinnipeg\b"),
        (Kind.PLACE, r"\b(?:ON|QC|BC|AB|MB|SK|NS|NB)\b,? [A-Z]\d[A-Z]"),
    ),
    "AUD": (
        (Kind.HINT, r"\bABN\b|\bA\.B\.N\b"),
        (Kind.PLACE, r"\bAustralia\b"),
        (Kind.PHONE, r"\+ ?61\b"),
        (Kind.HINT, r"\bPty\b|\bPTY\b"),
        (Kind.PLACE, r"\b(?:NSW|VIC|QLD|TAS|ACT) \d{4}\b"),
        (Kind.HINT, _gst("10")),
    ),
    "NZD": (
        (Kind.PLACE, r"New Zealand|\bAuckland\b|\bNZBN\b"),
        (Kind.PHONE, r"\+ ?64\b"),
        (Kind.HINT, _gst("15")),
    ),
    "MYR": (
        (Kind.FORM, r"\bS(?:DN|dn)\.? ?B(?:HD|hd)\b"),
        (Kind.PLACE, r"\bMalaysia\b|\bMALAYSIA\b"),
        (Kind.PLACE, r"(?i:kuala lumpur|selangor|johor|penang|pulau pinang|perak|petaling|melaka)"),
        (Kind.HINT, r"(?i:\bjalan\b|\bjln\b|\btaman\b|\bbandar\b)"),
        (Kind.PHONE, r"\+ ?60\b"),
        (Kind.HINT, r"\bSST\b|\bGST ID\b|\bSR\b.{0,12}\b6 ?%"),
    ),
    "SGD": (
        (Kind.PLACE, r"(?i:\bsingapore\b)"),
        (Kind.FORM, r"(?i:\bpte\.? ltd\b)"),
        (Kind.PHONE, r"\+ ?65\b"),
        (Kind.HINT, _gst("[789]")),
    ),
    "INR": (
        (Kind.TAX, r"\bGSTIN\b"),
        (Kind.TAX, r"\b[CS]GST\b|\bIGST\b"),
        (Kind.PLACE, r"\bIndia\b"),
        (
            Kind.PLACE,
            r"\bMumbai\b|\bKolkata\b|\bDelhi\b|\bChennai\b|\bBengaluru\b|\bBangalore\b|\bPune\b|\bAhmedabad\b|"
            r"\bSiliguri\b|\bWest Bengal\b|\bMaharashtra\b|\bKarnataka\b|\bTamil Nadu\b|\bKerala\b|\bGujarat\b|"
            r"\bHaryana\b|\bRajasthan\b|\bUttar Pradesh\b|\bTelangana\b|\bBihar\b|\bJharkhand\b|\bOdisha\b|"
            r"\bMadhya Pradesh\b|\bAssam\b|\bUttarakhand\b|\bChhattisgarh\b|\bHimachal\b",
        ),
        (Kind.PHONE, r"\+ ?91\b"),
        (Kind.HINT, r"(?i:\bpvt\.? ltd\b)"),
        (Kind.HINT, r"\bPAN\b|\bHSN\b"),
    ),
    "TRY": (
        (Kind.TAX, r"\bKDV\b"),
        (Kind.HINT, r"(?i:vergi daire|\bvkn\b|\bmersis\b)"),
        (Kind.PLACE, r"T[üu]rkiye|\bTurkey\b|İstanbul|Istanbul|Ankara"),
        (Kind.PHONE, r"\+ ?90\b"),
        (Kind.FORM, r"\bA\.? ?Ş\b"),
    ),
    "PLN": (
        (Kind.HINT, r"\bNIP\b|\bREGON\b"),
        (Kind.FORM, r"(?i:\bsp\. ?z ?o\.? ?o)"),
        (Kind.PLACE, r"\bPolska\b|\bPoland\b|Warszawa|Kraków"),
        (Kind.PHONE, r"\+ ?48\b"),
        (Kind.TAX, r"(?i:faktura vat|\bptu\b|paragon)"),
    ),
    "CZK": (
        # Slovakia, which has the euro, has the same.
        (Kind.HINT, r"\bDIČ\b|\bIČO?\b|\bDPH\b"),
        (Kind.PLACE, r"Česk|\bCzech\b|\bPraha\b|\bBrno\b"),
        (Kind.PHONE, r"\+ ?420\b"),
    ),
    "HUF": (
        (Kind.TAX, r"\bÁFA\b|adószám"),
        (Kind.PLACE, r"\bKft\b|\bZrt\b|Magyar|Hungary|Budapest"),
        (Kind.PHONE, r"\+ ?36\b"),
    ),
    "RON": (
        (Kind.PLACE, r"\bRom[âa]nia\b|București|Bucharest"),
        (Kind.HINT, r"\bCUI\b"),
        (Kind.PHONE, r"\+ ?40\b"),
    ),
    "SEK": (
        (Kind.PLACE, r"\bSverige\b|\bSweden\b|Stockholm|Göteborg|\bMalmö\b|\bUppsala\b"),
        (Kind.HINT, r"\bF-skatt\b|\b[Bb]ankgiro\b|\bBelopp\b|\bOrganisationsnummer\b|\bMomsreg|\bvarav moms\b"),
        (Kind.PHONE, r"\+ ?46\b"),
    ),
    "NOK": (
        (Kind.PLACE, r"\bNorge\b|\bNorway\b|\bOslo\b|\bTrondheim\b|\bStavanger\b|\bTromsø\b"),
        (Kind.TAX, r"(?i:\bmva\b)"),
        (Kind.HINT, r"\bBeløp\b|\bKID\b|\bForfall\b|\b[Oo]rg\.? ?nr\.?:? ?\d{3} \d{3} \d{3}\b"),
        (Kind.PHONE, r"\+ ?47\b"),
    ),
    "DKK": (
        (Kind.PLACE, r"\bDanmark\b|\bDenmark\b|København|Copenhagen|\bAarhus\b|\bOdense\b|\bAalborg\b"),
        (Kind.HINT, r"\bCVR\b|\bBeløb\b|\bheraf moms\b"),
        (Kind.PHONE, r"\+ ?45\b"),
    ),
    "BRL": (
        (Kind.HINT, r"\bCNPJ\b|\bCPF\b"),
        (Kind.PLACE, r"\bBrasil\b|\bBrazil\b|São Paulo"),
        (Kind.TAX, r"\bICMS\b|\bNF-?e\b"),
        (Kind.PHONE, r"\+ ?55\b"),
    ),
    "MXN": (
        (Kind.HINT, r"\bRFC\b|\bCFDI\b|folio fiscal"),
        (Kind.PLACE, r"\bM[ée]xico\b"),
        (Kind.PHONE, r"\+ ?52\b"),
        (Kind.FORM, r"\bde C\.? ?V\b"),
        (Kind.HINT, r"\bI\.?V\.?A\b.{0,4}\b16(?:\.0+)? ?%"),
    ),
    "JPY": ((Kind.PLACE, r"\bJapan\b|\bTokyo\b|消費税|円|[ぁ-んァ-ヶ]{2}"), (Kind.PHONE, r"\+ ?81\b")),
    "IDR": ((Kind.PLACE, r"\bIndonesia\b|\bJakarta\b"), (Kind.TAX, r"\bNPWP\b|\bPPN\b"), (Kind.PHONE, r"\+ ?62\b")),
    "PHP": (
        (Kind.PLACE, r"\bPhilippines\b|\bManila\b|Makati|Quezon"),
        (Kind.HINT, r"\bBrgy\b|\bBIR\b|VAT Reg\.? TIN"),
        (Kind.PHONE, r"\+ ?63\b"),
    ),
    "KES": (
        (Kind.PLACE, r"\bKenya\b|\bNairobi\b|\bMombasa\b"),
        (Kind.HINT, r"\bKRA\b|\bM-?PESA\b"),
        (Kind.PHONE, r"\+ ?254\b"),
    ),
    "NGN": (
        (Kind.PLACE, r"\bNigeria\b|\bLagos\b|\bAbuja\b|\bIbadan\b|\bPort Harcourt\b|\bKano\b"),
        (Kind.PHONE, r"\+ ?234\b"),
    ),
    "GHS": ((Kind.PLACE, r"\bGhana\b|\bAccra\b|\bKumasi\b|\bCape Coast\b"), (Kind.PHONE, r"\+ ?233\b")),
    "COP": (
        (Kind.PLACE, r"\bColombia\b|\bBogot[áa]\b|\bMedell[íi]n\b"),
        (Kind.HINT, r"\bNIT\b|\bDIAN\b|(?i:\bm/?\.?cte\b)"),
        # As addresses are written there: "Cra 14 # 9-52".
        (Kind.PLACE, r"\b(?:C(?:ra|rr|l|ll|alle|arrera)|Kr|Avenida)\.? ?\d+\w? ?# ?\d+"),
        (Kind.PHONE, r"\+ ?57\b"),
    ),
    "CLP": (
        (Kind.PLACE, r"\bChile\b|\bSantiago\b|\bValpara[íi]so\b|Viña del Mar|\bAntofagasta\b|\bTemuco\b"),
        (Kind.HINT, r"\bR\.U\.T\b|\bS\.I\.I\b|\bGiro:"),
        (Kind.TAX, r"\bR\.?U\.?T\b\.?[:\s]*(?:N[°º]\s*)?\d{1,2}\.\d{3}\.\d{3} ?- ?[\dkK]\b"),
        (Kind.PHONE, r"\+ ?56\b"),
    ),
    "ARS": (
        (Kind.PLACE, r"\bArgentina\b|Buenos Aires"),
        (Kind.TAX, r"\bC\.?U\.?I\.?T\b|\bAFIP\b"),
        (Kind.PHONE, r"\+ ?54\b"),
    ),
    "PEN": ((Kind.PLACE, r"\bPer[úu]\b|\bLima\b"), (Kind.TAX, r"\bI\.?G\.?V\b|\bSUNAT\b"), (Kind.PHONE, r"\+ ?51\b")),
    "PKR": (
        (Kind.PLACE, r"\bPakistan\b|\bKarachi\b|\bLahore\b|\bIslamabad\b|\bRawalpindi\b|\bFaisalabad\b"),
        (Kind.TAX, r"\bNTN\b|\bSTRN\b|\bFBR\b"),
        (Kind.HINT, r"\bCNIC\b"),
        (Kind.PHONE, r"\+ ?92\b"),
    ),
    "ILS": ((Kind.PLACE, r"\bIsrael\b|Tel[- ]Aviv|\bHaifa\b|[א-ת]{3}"), (Kind.PHONE, r"\+ ?972\b")),
    "ISK": (
        (Kind.PLACE, r"\bÍsland\b|\bIceland\b|Reykjav[íi]k"),
        (Kind.TAX, r"\bVSK\b"),
        (Kind.HINT, r"\bKennitala\b|\bReikningur\b"),
        (Kind.PHONE, r"\+ ?354\b"),
    ),
    "TWD": ((Kind.PLACE, r"\bTaiwan\b|\bTaipei\b|統一編號|新[臺台]幣"), (Kind.PHONE, r"\+ ?886\b")),
    "KRW": ((Kind.PLACE, r"\bKorea\b|\bSeoul\b|[가-힣]{2}"), (Kind.PHONE, r"\+ ?82\b")),
    "VND": (
        (Kind.PLACE, r"Vi[ệe]t ?[Nn]am|\bHanoi\b|Hà Nội|H[oồ] Ch[ií] Minh|TP\. ?HCM"),
        (Kind.TAX, r"\bGTGT\b|Mã số thuế"),
        (Kind.HINT, r"(?i:hóa đơn|thành tiền|điện thoại)"),
        (Kind.PHONE, r"\+ ?84\b"),
    ),
    "EGP": ((Kind.PLACE, r"\bEgypt\b|\bCairo\b"), (Kind.PHONE, r"\+ ?20\b")),
    "MAD": (
        # "Rabat" is a discount in Polish, Danish and Serbian.
        (Kind.PLACE, r"\bMaroc\b|\bMorocco\b|Casablanca|\b\d{5} Rabat\b|Marrakech|\bAgadir\b|\bTanger\b"),
        (Kind.HINT, r"\bCNSS\b|\bPatente\b|\bICE ?:? ?\d{15}\b"),
        (Kind.PHONE, r"\+ ?212\b"),
    ),
    "TND": (
        (Kind.PLACE, r"\bTunisi[ea]\b|\bTunis\b|\bSousse\b|\bSfax\b|\bAriana\b"),
        (Kind.HINT, r"\bmillimes\b|\bR\.?N\.?E\b|(?i:\btimbre fiscal\b)"),
        (Kind.PHONE, r"\+ ?216\b"),
    ),
    "KWD": ((Kind.PLACE, r"\bKuwaiti?\b|\bSalmiya\b|\bHawally\b|\bShuwaikh\b"), (Kind.PHONE, r"\+ ?965\b")),
    "BHD": ((Kind.PLACE, r"\bBahrain\b|\bManama\b"), (Kind.PHONE, r"\+ ?973\b")),
    "OMR": (
        (Kind.PLACE, r"\bOman\b|\bMuscat\b|\bSohar\b|\bSalalah\b"),
        (Kind.HINT, r"\bOM\d{10}\b"),
        (Kind.PHONE, r"\+ ?968\b"),
    ),
    "JOD": ((Kind.PLACE, r"\bJordan\b|\bAmman\b"), (Kind.PHONE, r"\+ ?962\b")),
    "UAH": ((Kind.PLACE, r"Укра[їи]н|\bUkraine\b|\bKyiv\b"), (Kind.PHONE, r"\+ ?380\b")),
    "RUB": (
        (Kind.PLACE, r"Росси[яи]|Москва|Санкт-Петербург|\bRussia\b|\bMoscow\b"),
        (Kind.TAX, r"\bНДС\b"),
        (Kind.HINT, r"\bИНН\b|\bКПП\b|\bООО\b"),
        (Kind.PHONE, r"\+ ?7[ -]?\(?[34689]\d\d\b"),
    ),
    "MRU": ((Kind.PLACE, r"\bMauritanie\b|\bNouakchott\b"), (Kind.PHONE, r"\+ ?222\b")),
    "MKD": (
        (Kind.PLACE, r"Македониј|Скопје|Битола|\bSkopje\b|North Macedonia"),
        (Kind.TAX, r"\bДДВ\b"),
        (Kind.HINT, r"\bДООЕЛ\b|\bЕДБ\b"),
    ),
    "AMD": ((Kind.PLACE, r"[ա-ֆ]{3}|\bYerevan\b"), (Kind.PHONE, r"\+ ?374\b")),
    "GEL": ((Kind.PLACE, r"[ა-ჰ]{3}|\bTbilisi\b"), (Kind.PHONE, r"\+ ?995\b")),
    "CDF": ((Kind.PLACE, r"\bKinshasa\b|\bLubumbashi\b|\bRDC\b"), (Kind.PHONE, r"\+ ?243\b")),
    "LYD": ((Kind.PLACE, r"\bLibya\b|\bBenghazi\b|ليبيا"), (Kind.PHONE, r"\+ ?218\b")),
    "RSD": (
        (Kind.PLACE, r"\bSrbij[aie]\b|\bSerbia\b|Beograd|\bNovi Sad\b|\bNiš\b|\bKragujevac\b|\bSubotica\b"),
        (Kind.HINT, r"\bPIB\b|(?i:\bdinara?\b)"),
        (Kind.PHONE, r"\+ ?381\b"),
    ),
    "BAM": ((Kind.PLACE, r"Bosna i Hercegovina|\bSarajevo\b|Banja Luka|\bMostar\b"), (Kind.PHONE, r"\+ ?387\b")),
    "LKR": (
        (
            Kind.PLACE,
            r"Sri Lanka|\bColombo \d{1,2}\b|\bKandy\b|\bGampaha\b|\bNegombo\b|\bMoratuwa\b|\bKurunegala\b",
        ),
        (Kind.PHONE, r"\+ ?94\b"),
    ),
    "NPR": ((Kind.PLACE, r"\bNepal\b|Kathmandu|\bPokhara\b|\bLalitpur\b"), (Kind.PHONE, r"\+ ?977\b")),
    "BDT": (
        (Kind.PLACE, r"\bBangladesh\b|\bDhaka\b|\bChattogram\b|\bSylhet\b"),
        (Kind.HINT, r"\bMushak\b"),
        (Kind.PHONE, r"\+ ?880\b"),
    ),
    "UGX": ((Kind.PLACE, r"\bUganda\b|\bKampala\b|\bEntebbe\b"), (Kind.PHONE, r"\+ ?256\b")),
    "TZS": (
        (Kind.PLACE, r"\bTanzania\b|(?i:dar es salaam)|\bArusha\b|\bDodoma\b|\bMwanza\b|\bZanzibar\b"),
        (Kind.PHONE, r"\+ ?255\b"),
    ),
    "RWF": ((Kind.PLACE, r"\bRwanda\b|\bKigali\b"), (Kind.PHONE, r"\+ ?250\b")),
    "ETB": ((Kind.PLACE, r"\bEthiopia\b|Addis Ababa"), (Kind.PHONE, r"\+ ?251\b")),
    "ZMW": ((Kind.PLACE, r"\bZambia\b|\bLusaka\b"), (Kind.TAX, r"\bTPIN\b"), (Kind.PHONE, r"\+ ?260\b")),
    "XOF": (
        (
            Kind.PLACE,
            r"\bS[ée]n[ée]gal\b|\bDakar\b|C[ôo]te d['’]Ivoire|\bAbidjan\b|\bBamako\b|Burkina|Ouagadougou|"
            r"\bB[ée]nin\b|\bCotonou\b|\bTogo\b|\bLom[ée]\b|\bNiamey\b",
        ),
        (Kind.HINT, r"\bNINEA\b|\bIFU\b|(?i:\bfrancs? CFA\b)"),
        (Kind.PHONE, r"\+ ?22[135689]\b"),
    ),
    "XAF": (
        (
            Kind.PLACE,
            r"\bCamero(?:un|on)\b|\bDouala\b|\bYaound[ée]\b|\bGabon\b|\bLibreville\b|\bBrazzaville\b|\bTchad\b|"
            r"N['’]Djamena",
        ),
        (Kind.HINT, r"\bNIU\b|(?i:\bfrancs? CFA\b)"),
        (Kind.PHONE, r"\+ ?(?:23[567]|24[0-2])\b"),
    ),
    "DZD": ((Kind.PLACE, r"\bAlg[ée]rie\b|\bAlgeria\b|\bAlger\b"), (Kind.PHONE, r"\+ ?213\b")),
    "CRC": ((Kind.PLACE, r"Costa Rica|\bHeredia\b|\bAlajuela\b|\bTurrialba\b"), (Kind.PHONE, r"\+ ?506\b")),
    "DOP": (
        (Kind.PLACE, r"Rep[úu]blica Dominicana|Dominican Republic|Santo Domingo"),
        (Kind.TAX, r"\bITBIS\b"),
        (Kind.HINT, r"\bRNC\b|\bNCF\b"),
    ),
    "GTQ": ((Kind.PLACE, r"\bGuatemala\b|Quetzaltenango"), (Kind.PHONE, r"\+ ?502\b")),
    "HNL": ((Kind.PLACE, r"\bHonduras\b|Tegucigalpa|San Pedro Sula"), (Kind.PHONE, r"\+ ?504\b")),
    "PAB": ((Kind.PLACE, r"\bPanam[áa]\b"), (Kind.TAX, r"\bITBMS\b"), (Kind.PHONE, r"\+ ?507\b")),
    "PYG": (
        (Kind.PLACE, r"\bParaguay\b|Asunci[óo]n|Ciudad del Este|\bEncarnaci[óo]n\b"),
        (Kind.HINT, r"\b[Tt]imbrado\b"),
        (Kind.PHONE, r"\+ ?595\b"),
    ),
    "UYU": ((Kind.PLACE, r"\bUruguay\b|\bMontevideo\b"), (Kind.PHONE, r"\+ ?598\b")),
    "BOB": (
        (Kind.PLACE, r"\bBolivia\b|\bLa Paz\b|\bCochabamba\b|Santa Cruz de la Sierra"),
        (Kind.HINT, r"\bBolivianos\b"),
        (Kind.PHONE, r"\+ ?591\b"),
    ),
    "VES": (
        (
            Kind.PLACE,
            r"\bVenezuela\b|\bCaracas\b|\bMaracaibo\b|\bBarquisimeto\b|\bMaracay\b|\bCarabobo\b|\bEdo\. [A-Z]",
        ),
        (Kind.HINT, r"\bSENIAT\b|\bRIF(?:/C\.?I)?:? ?[JVGEP]-?\d"),
        (Kind.PHONE, r"\+ ?58\b"),
    ),
    "JMD": ((Kind.PLACE, r"\bJamaica\b"), (Kind.TAX, r"\bGCT\b")),
    "TTD": ((Kind.PLACE, r"\bTrinidad\b|\bTobago\b|Port of Spain"), (Kind.PHONE, r"\+ ?1[- ]?\(?868\b")),
    "BBD": ((Kind.PLACE, r"\bBarbados\b|\bBridgetown\b"), (Kind.PHONE, r"\+ ?1[- ]?\(?246\b")),
    "BSD": ((Kind.PLACE, r"\bBahamas\b"), (Kind.PHONE, r"\+ ?1[- ]?\(?242\b")),
    "BMD": ((Kind.PLACE, r"\bBermuda\b"), (Kind.PHONE, r"\+ ?1[- ]?\(?441\b")),
    "KYD": ((Kind.PLACE, r"Cayman Islands|Grand Cayman"), (Kind.PHONE, r"\+ ?1[- ]?\(?345\b")),
    "BZD": ((Kind.PLACE, r"\bBelize\b|\bBelmopan\b"), (Kind.PHONE, r"\+ ?501\b")),
    "GYD": ((Kind.PLACE, r"\bGuyana\b"), (Kind.PHONE, r"\+ ?592\b")),
    "SRD": ((Kind.PLACE, r"\bSuriname\b|\bParamaribo\b"), (Kind.PHONE, r"\+ ?597\b")),
    "XCD": (
        (Kind.PLACE, r"\bAntigua and\b|\bAntigua & |\bGrenada\b|Saint Lucia|St\.? Lucia|St\.? Vincent|St\.? Kitts"),
    ),
    "FJD": ((Kind.PLACE, r"\bFiji\b|\bSuva\b"), (Kind.PHONE, r"\+ ?679\b")),
    "NAD": ((Kind.PLACE, r"\bNamibia\b|\bWindhoek\b|\bSwakopmund\b"), (Kind.PHONE, r"\+ ?264\b")),
    "LRD": ((Kind.PLACE, r"\bLiberia\b|\bMonrovia\b"), (Kind.PHONE, r"\+ ?231\b")),
    "AOA": ((Kind.PLACE, r"\bAngola\b|\bLuanda\b"), (Kind.PHONE, r"\+ ?244\b")),
    "MZN": ((Kind.PLACE, r"\bMo[çz]ambique\b|\bMaputo\b"), (Kind.PHONE, r"\+ ?258\b")),
    "KHR": ((Kind.PLACE, r"\bCambodia\b|Phnom Penh"), (Kind.PHONE, r"\+ ?855\b")),
    "BGN": ((Kind.PLACE, r"Българ|\bBulgaria\b|\bSofia\b"), (Kind.TAX, r"\bДДС\b"), (Kind.PHONE, r"\+ ?359\b")),
    "THB": ((Kind.PLACE, r"\bThailand\b|\bBangkok\b|[ก-ฮ]{3}"), (Kind.PHONE, r"\+ ?66\b")),
    "AED": (
        (Kind.PLACE, r"\bU\.?A\.?E\b|\bDubai\b|Abu Dhabi|Emirates"),
        (Kind.HINT, r"\bTRN\b"),
        (Kind.PHONE, r"\+ ?971\b"),
    ),
    "SAR": ((Kind.PLACE, r"Saudi Arabia|\bRiyadh\b|\bJeddah\b"), (Kind.PHONE, r"\+ ?966\b")),
    "ZAR": ((Kind.PLACE, r"South Africa|Johannesburg|Cape Town"), (Kind.PHONE, r"\+ ?27\b")),
    "HKD": ((Kind.PLACE, r"Hong Kong"), (Kind.PHONE, r"\+ ?852\b")),
    # Letters that only China writes so.
    "CNY": ((Kind.PLACE, r"\bChina\b|Shanghai|Beijing|Shenzhen|[发单开额总计价订东业专]"), (Kind.PHONE, r"\+ ?86\b")),
}
