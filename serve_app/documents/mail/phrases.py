"""What mails say in many languages: that they answer others, what follows is another mail, a file is attached."""

import re
from collections.abc import Iterable


def _any_of(phrases: Iterable[str]) -> str:
    return "|".join(phrases)


_REPLIES = (
    "re", "aw", "antw", "antwort", "sv", "vs", "odp", "ynt", "res", "r", "rif", "vá", "atb", "απ", "отв", "回复",
    "回覆", "答复", "答覆", "返信", "회신",
)  # fmt: skip
REPLY = re.compile(rf"\s*(?:{_any_of(_REPLIES)})\s*(?:\[\d+\])?\s*[:：]", re.IGNORECASE)
"""How the subject of a reply begins; that of a forwarded mail does not."""

_ORIGINALS = (
    "original message", "ursprüngliche nachricht", "message d'origine", "mensaje original", "messaggio originale",
    "oorspronkelijk bericht", "mensagem original", "wiadomość oryginalna", "původní zpráva",
    "ursprungligt meddelande", "orijinal ileti",
)  # fmt: skip
ORIGINAL = re.compile(rf"^\W*(?:{_any_of(_ORIGINALS)})", re.IGNORECASE | re.MULTILINE)
"""A line after which another mail follows."""

_WROTE = (
    "wrote", "schrieb[^\\n:]*", "a écrit", "escribió", "ha scritto", "schreef[^\\n:]*", "escreveu", "napisał\\(?a?\\)?",
    "napsal\\(?a?\\)?", "skrev[^\\n:]*", "kirjoitti", "írta", "yazdı", "写道",
)  # fmt: skip
WROTE = re.compile(rf"^[^\n]{{0,300}}(?:{_any_of(_WROTE)})\s*[:：]\s*$", re.IGNORECASE | re.MULTILINE)
"""A line that says who wrote what follows."""

_FROM = ("from", "von", "de", "da", "van", "od", "från", "fra", "lähettäjä", "kimden", "feladó", "发件人")
_OTHER_HEADERS = (
    "sent", "gesendet", "envoyé", "enviado", "inviato", "verzonden", "wysłano", "odesláno", "skickat", "date", "datum",
    "data", "fecha", "to", "an", "à", "para", "a", "aan", "do", "subject", "betreff", "objet", "asunto", "oggetto",
    "onderwerp", "temat", "předmět", "ämne",
)  # fmt: skip
HEADER = re.compile(
    rf"^\W{{0,3}}(?:{_any_of(_FROM)})\s*[:：][^\n]*\n(?:[^\n]*\n){{0,3}}?\W{{0,3}}(?:{_any_of(_OTHER_HEADERS)})\s*[:：]",
    re.IGNORECASE | re.MULTILINE,
)
"""The header of a mail, written into the text of another."""

QUOTED = re.compile(r"^[ \t]*[>|][^\n]*$", re.MULTILINE)
"""A line of a mail that is answered."""

_ATTACHED = (
    r"\battach(?:ed|ment|ments|ing)\b", r"\benclosed\b", r"\banbei\b", r"\bim anhang\b", r"\bangehängte?\w*",
    r"\bbeigefügt\w*", r"\bals anlage\b", r"\bin der anlage\b", r"\bbeiliegend\w*", r"\bci-?jointe?s?\b",
    r"\bpi[eè]ces? jointes?\b", r"\ben annexe\b", r"\badjunt\w+", r"\ballegat\w+", r"\balleghiamo\b", r"\bbijlagen?\b",
    r"\bbijgevoegd\w*", r"\bbijgaand\w*", r"\bzałącz\w+", r"\banexo\b", r"\banexad\w+", r"\bbifoga\w*",
    r"\bbilag[ad]\w*", r"\bvedlagt\w*", r"\bvedhæft\w*", r"\bohessa\b", r"\bliittee\w+", r"\bpřílo\w+", r"\bpríloh\w+",
    r"\bcsatol\w+",
    r"\bmellékel\w*", r"\bata[sș]at\w*", r"\bîn anexă\b", r"\bekte\b", r"\bilişikte\b", r"\bво вложении\b",
    r"\bu prilogu\b", r"\bv prilogi\b", "附件", "附上", "添付", "첨부",
)  # fmt: skip
ATTACHED = re.compile(_any_of(_ATTACHED), re.IGNORECASE)
"""What the sender of a file says."""

_INVOICES = (
    r"\b(?:e-?)?invoic\w*", r"\b\w*rechnung\w*", r"\bfactur\w*", r"\bfaktur\w*", r"\bfattur\w*", r"\bfatur\w*",
    r"\b\w*factu+r\w*", r"\breceipts?\b", r"\b\w*quittung\w*", r"\bre[cç]us?\b", r"\brecibos?\b", r"\bricevut\w*",
    r"\brachun\w*", r"\bú?učten\w*", r"\bszáml\w*", r"\blasku\w*", r"\bkvitto\w*", r"\bkvittering\w*", r"\bračun\w*",
    r"\bcredit notes?\b", r"\bgutschrift\w*", r"\bсч[её]т\w*", "发票", "請求書", "청구서", "계산서",
)  # fmt: skip
INVOICE = re.compile(_any_of(_INVOICES), re.IGNORECASE)
"""An invoice in a sentence, where words are inflected."""

_ON_ITS_WAY = (
    r"\btrack(?:ing|[ -]?(?:and|&)[ -]?trace)\b", r"\bshipped\b", r"\bon its way\b", r"\bout for delivery\b",
    r"\bsendungs(?:nummer|verfolgung)\b", r"\bverschickt\b", r"\bversandt\b", r"\bzugestellt\b", r"\bnuméro de suivi\b",
    r"\bexpédiée?\b", r"\bseguimiento\b", r"\btracciamento\b", r"\bspedito\b", r"\bverzonden\b", r"\brastreio\b",
    r"\bprzesyłk\w+", r"\bzásilk\w+", r"\bspårnings\w+", r"\bkargoya\b",
)  # fmt: skip
ON_ITS_WAY = re.compile(_any_of(_ON_ITS_WAY), re.IGNORECASE)
"""What reports about parcels say."""
