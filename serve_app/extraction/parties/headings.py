"""The headings that name a party: "Bill to", "Verkäufer", "Destinatario" ..."""

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache

from serve_app.domain.document import Box
from serve_app.extraction.facts import PageFacts, Words
from serve_app.extraction.parties.statements import STATED

_BUYER = (
    r"(?:invoic(?:e|ing)|billing|delivery|shipping)\s?address|"
    r"(?:billing|delivery|shipping|customer|client)\s?(?:details|info(?:rmation)?)|"
    r"to:|an:|à:|bill(?:ed)?\s?to|invoice\s?to|sold\s?to|ship(?:ped)?\s?to|deliver(?:ed)?\s?to|buyer|customer|client|purchaser|consignee|"
    r"k[äa]ufer|kunde|(?:leistungs|waren|liefer)empf[äa]nger|rechnungsempf[äa]nger|rechnung\s?an|auftraggeber|"
    r"(?:liefer|rechnungs)(?:anschrift|adresse)|"
    r"kundendaten|klantgegevens|dati (?:del )?cliente|datos (?:del? )?(?:cliente|facturaci[óo]n|env[íi]o)|"
    r"dados do cliente|"
    r"adresse de (?:facturation|livraison)|indirizzo di (?:spedizione|fatturazione|consegna)|"
    r"direcci[óo]n de (?:env[íi]o|entrega|facturaci[óo]n)|"
    r"(?:morada|endere[çc]o) de (?:entrega|fatura[çc][ãa]o|cobran[çc]a)|"
    r"(?:leverings|leverans|fakturerings|fakturaa?|betalings)adress?e?\b|toimitusosoite\b|adres (?:dostawy|do faktury)|"
    r"(?:dodac[íi]|faktura[čc]n[íi]|doru[čc]ovacia) adresa|adresa (?:za )?(?:dostav[eu]|livrare|facturare)|"
    r"sz[áa]ll[íi]t[áa]si c[íi]m|(?:teslimat|fatura) adresi|адрес (?:доставки|за доставка)|адреса доставки|"
    r"acheteur|destinataire|factur(?:[ée]|er)\s?[àa]|adress[ée]\s?[àa]|livr[ée]\s?[àa]|cliente|comprador|destinatario|facturar\s?a|"
    r"committente|cessionario|intestatario|spett\w*|klant|koper|afnemer|factuur\s?aan|(?:factuur|aflever|bezorg)adres|adquirente|"
    r"destinat[áa]rio|exmos?(?:\.?\s?senhor(?:es)?)?|tomador(?:\s?de\s?servi[çc]os)?|"
    r"al[ıi]c[ıi]|m[üu][şs]teri|say[ıi]n|nabywca|odbiorca|kupuj[ąa]cy|odb[ěe]ratel|kupuj[íi]c[íi]|"
    r"opdrachtgever|zamawiaj[ąa]cy|odberate[ľl]|vevő|cump[ăa]r[ăa]tor|tenant|lessee|mieter(?:in)?\b|locataire|arrendatario|conduttore|inquilino|huurder\b|najemca|køber|kjøper|köpare|ostaja\b|kupac\b|"
    r"saņēmēj\w*|pirkėj\w*|mokėtoj\w*|tellija\b|laskutetaan\b|laskutusosoite\b|klijent|naru[čc]ilac|"
    r"покупател\w*|покупець|замовник|одержувач|заказчик|плательщик|получател\w*|клиент|клієнт|клијент|купувач|"
    r"възложител|купац|αποδ[έε]κτης|πελ[άα]τη[ςσ]?|αγοραστ[ήη]ς|λ[ήη]πτης|請求先|宛先|[買购購]方|客[户戶]|購買方|공급받는자|"
    r"ลูกค้า|לכבוד|العميل|khách hàng|người mua|đơn vị mua|kepada\b|pelanggan|pembeli|ügyfél|megrendelő"
)
# Whoever is to be paid is mostly the seller, but may be a bank or a company that collects for others.
_PAYEE = (
    r"remit(?:tance)?\s?to|pay(?:able|ment)?\s?to|payee|account\s?(?:name|holder)|beneficiary|"
    r"kontoinhaber(?:in)?|zahlungsempf[äa]nger|titulaire(?:\s?du\s?compte)?|b[ée]n[ée]ficiaire|titular(?:\s?de\s?la\s?cuenta)?|"
    r"beneficiari[oa]|t\.?n\.?v\.?|ten\s?name\s?van|rekeninghouder|hesap\s?sahibi"
)
_SELLER = (
    r"seller|supplier|vendor|service\s?provider|sold\s?by|issued\s?by|provided\s?by|billed\s?by|invoice\s?from|bill\s?from|"
    r"from:|merchant\s?name|collectivit[ée]\s?:|werkmaatschappij|(?:operating|issuing|invoicing)\s?(?:company|entity)|"
    r"landlord|lessor|vermieter(?:in)?\b|bailleur|arrendador|locatore|verhuurder\b|wynajmuj[ąa]cy|"
    rf"{_PAYEE}|"
    r"verk[äa]ufer|lieferant|rechnungs(?:er|aus)?steller|leistungserbringer|auftragnehmer|absender|"
    r"verkauft\s?(?:durch|von)|vendu\s?par|[ée]mis\s?par|expedido\s?por|emitid[oa]\s?por|vendid[oa]\s?por|venduto\s?da|emess[oa]\s?da|"
    r"verkocht\s?door|prestador(?:\s?de\s?servi[çc]os)?|"
    r"vendeur|fournisseur|[ée]metteur|vendedor|emisor|proveedor|cedente|prestatore|fornitore|venditore|"
    r"verkoper|leverancier|fornecedor|emitente|sat[ıi]c[ıi]|sprzedawca|wystawca|dodavatel|prod[áa]vaj[íi]c[íi]|"
    r"tedarik[çc]i|dostawca|opdrachtnemer|dod[áa]vate[ľl]|eladó|sz[áa]mlakibocs[áa]t[óo]|furnizor|v[âa]nz[ăa]tor|"
    # With their accents: "Kober" and "Koper" are names.
    r"sælger|leverand[øo]r|selger\b|säljare|leverant[öo]r|myyjä|laskuttaja\b|prodavatelj|dobavlja[čc]|"
    r"piegādātāj\w*|pardavėj\w*|tiekėj\w*|müüja\b|izdava[čc]\b|"
    r"поставщик|исполнитель|продавец|постачальник|виконавець|продавець|доставчик|изпълнител|продавач|добављач|"
    r"продавац|издавалац|издавач|π[άα]ροχος(?:\s?υπηρεσι[ώω]ν)?|προμηθευτ[ήη]ς|εκδ[όο]τη[ςσ]?|πωλητ[ήη]ς|請求元|発行元|"
    r"[卖賣]\s*方|销售方|銷售方|공급자|ผู้ขาย|người bán|đơn vị bán|penjual"
)
_HEADING = re.compile(rf"\b(?:(?P<buyer>{_BUYER})|(?P<seller>{_SELLER}))", re.IGNORECASE)
_STATED = re.compile(rf"(?:{STATED})$", re.IGNORECASE)
# As a word of its own: not in "Lieferanten-Nr." or "Customer-ID".
_WHOLE_HEADING = re.compile(rf"(?<![\w-])(?:{_BUYER}|{_SELLER})(?![\w-])", re.IGNORECASE)
# What makes the name of a party the caption of its number.
_CODE = re.compile(
    r"\b(?:c[óo]d(?:ice|igo|e)?|n[°ºo]|nr|no|num(?:ber|mer|[ée]ro)?|id|ref)\W*(?:d[eiou]l?\b|of\b)?\W*$", re.IGNORECASE
)
# A heading is at most this many printed lines above the name, and this far (of the page's width) to its side.
LINES_ABOVE = 3
ASIDE = 0.12
# A line of so few words has no other column: it may be the heading of a name far to its right.
ALONE = 2
# A heading has at most so many words.
LONGEST_HEADING = 4


_IS_PAYEE = re.compile(rf"\b(?:{_PAYEE})", re.IGNORECASE)
_PARTY_NAME = re.compile(
    rf"(?:(?:the|der|die|le|la|el|il|de|het)\s+)?(?:{_SELLER}|{_BUYER})(?:\s*name)?\b\W*", re.IGNORECASE
)


_PERSON = re.compile(
    r"\b(?:contact(?:\s?person)?|attn|att|attention|c/o|ansprechpartner(?:in)?|kontakt(?:person)?|bearbeiter(?:in)?|"
    r"sachbearbeiter(?:in)?|z\.?\s?h(?:d|ä?nden)|gesch[äa]ftsf(?:[üu]hrer(?:in)?)?|prokurist(?:in)?|vorstand|inhaber(?:in)?|"
    r"director|manager|mr|mrs|ms|dr|herrn?|frau|mme|monsieur|madame|sr|sra|sig|t\.a\.v|contacto?|contatto|contactpersoon|"
    r"cashier|waiter|server|served\s?by|kassierer(?:in)?|bediener|bedient|served|operator|salesperson|sales\s?rep|prepared\s?by|"
    r"patient|doctor|physician|guest|name|phd|md|kasir)\b",
    re.IGNORECASE,
)


# E-mails greet the customer. Some of these words begin names of shops, too: only a comma or a mark of exclamation at
# the end of the line shows that they greet.
_GREETING = re.compile(
    r"(?:(?:dear|sehr\s+geehrte[rs]?|(?:madame|monsieur),|estimad[oa]s?|prezad[oa]s?|geachte|szanown[aiey]+|v[áa][žz]en[ýáíie]+|"
    r"tisztelt|stimat[eăa]?)\s+\S|"
    r"(?:hi|hey|hello|hall[oå]|hej|hei|liebe[rs]?|guten\s+(?:tag|morgen|abend)|good\s+(?:morning|afternoon|evening)|bonjour|"
    r"ch[eè]re?s?|hola|buenos\s+d[íi]as|ciao|gentile|salve|ol[áa]|car[oa]|beste|k[æj]+re|dzie[ńn]\s+dobry|cze[śs][ćc]|"
    r"dobr[ýy]\s+den|merhaba|kedves|bun[ăa]\s+ziua)\s.*[,!]$)",
    re.IGNORECASE,
)


# What goes on below a name with a comma, which greets.
_THANKS = re.compile(
    r"(?:thank(?:s| you)|we (?:have|are|hereby)|your (?:order|invoice|payment|receipt|booking)|here is|vielen dank|"
    r"danke|anbei|merci|gracias|grazie|obrigad[oa]|bedankt|dziękujemy|děkujeme|ďakujeme|köszönjük|tack|tak for|takk)\b",
    re.IGNORECASE,
)


class Party(StrEnum):
    SELLER = "seller"
    BUYER = "buyer"


def party_of(page: PageFacts, words: Sequence[int]) -> Party | None:
    """Which party the nearest heading before a name or above it announces; None if there is no heading nearby."""
    return page.once(_announced_party, tuple(words))


def _announced_party(page: PageFacts, words: Words) -> Party | None:
    row = page.row_of(words[0])
    if is_greeted(page, words):
        return Party.BUYER
    before = _before(page, row, words)
    if before and _STATED.search(f"{page.text(before)} "):
        return Party.SELLER
    for line in (before, *_above(page, row, words)):
        found = list(_HEADING.finditer(page.text(line))) if line else []
        if found:
            return Party.BUYER if found[-1]["buyer"] else Party.SELLER
    return None


def is_greeted(page: PageFacts, words: Sequence[int]) -> bool:
    """Whether a line of a name is a greeting: "Hi Akme Ltd,", "Sehr geehrte Frau Weber", or "Rosa Whitcombe," above
    "Thank you for your order"."""
    rows = {page.row_of(word) for word in words}
    return any(_GREETING.match(page.text(page.lines[row])) or _is_thanked(page, row) for row in rows)


def _is_thanked(page: PageFacts, row: int) -> bool:
    below = page.lines[row + 1 : row + 2]
    return page.text(page.lines[row]).endswith(",") and any(_THANKS.match(page.text(line)) for line in below)


def without_heading(text: str) -> str:
    """A name without the heading that it begins with ("Bill to Akme Ltd", "Client: Akme Ltd"). A name may begin with
    such a word itself ("Client Services Ltd"); a heading alone stays as it is."""
    heading = _HEADING.match(text)
    if heading is None or not (" " in heading[0] or text[heading.end() :].lstrip()[:1] == ":"):
        return text
    return text[heading.end() :].lstrip(" :.") or text


def names_person(page: PageFacts, words: Sequence[int]) -> bool:
    """Whether a caption before, right above or in a name makes it a person's."""
    row = page.row_of(words[0])
    near = (words, _before(page, row, words)[-3:], *_above(page, row, words)[:1])
    return any(_PERSON.search(page.text(each)) for each in near)


@lru_cache(maxsize=20_000)
def heading_alone(text: str) -> Party | None:
    """The party that a cell is the heading of, if it says little else: "Seller", "Informations sur le vendeur:"."""
    found = _HEADING.search(text)
    if found is None or len(text.replace(" / ", "/").split()) > LONGEST_HEADING or any(map(str.isdigit, text)):
        return None
    return Party.BUYER if found["buyer"] else Party.SELLER


@lru_cache(maxsize=20_000)
def heads_section(text: str) -> Party | None:
    """The party whose section a cell begins: it ends in a heading ("Abweichender Warenempfänger:", "Informations sur le
    vendeur"; but "Cod. fornitore" is a number's) or begins with one that a name may follow ("Seller Akme Ltd")."""
    found = [each for each in _WHOLE_HEADING.finditer(text) if not _CODE.search(text[: each.start()])]
    heads = any(not text[each.end() :].strip(" :") or not text[: each.start()] for each in found)
    return heading_alone(text) if heads else None


@lru_cache(maxsize=20_000)
def heads_seller(text: str) -> bool:
    """Whether the last heading of a text is the seller's, or that of the one who is to be paid."""
    found = list(_HEADING.finditer(text))
    return bool(found) and found[-1]["seller"] is not None


def is_payee(text: str) -> bool:
    """Whether a heading names who is to be paid, and not who sells."""
    return _IS_PAYEE.search(text) is not None


def heading_length(words: Sequence[str]) -> int:
    """How many words at the beginning of a cell are a party's heading: one in "Seller Akme Ltd"."""
    return _length_of_heading(" ".join(words))


@lru_cache(maxsize=20_000)
def _length_of_heading(text: str) -> int:
    found = _PARTY_NAME.match(text)
    return found[0].count(" ") + (found.end() == len(text)) if found else 0


def _before(page: PageFacts, row: int, words: Sequence[int]) -> list[int]:
    """The words of the same line, up to the name."""
    line = page.lines[row]
    return list(line[: line.index(words[0])])


def _above(page: PageFacts, row: int, words: Sequence[int]) -> list[list[int]]:
    """The lines above the name, nearest first: of each the part above the name, or all of a line that is alone."""
    box = page.box(words)
    return [
        list(line) if len(line) <= ALONE else [word for word in line if _is_over(page.page.words[word].box, box)]
        for line in reversed(page.lines[max(0, row - LINES_ABOVE) : row])
    ]


def _is_over(upper: Box, lower: Box) -> bool:
    return upper.x0 < lower.x1 and upper.x1 > lower.x0 - ASIDE
