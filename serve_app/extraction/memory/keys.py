"""By what a vendor is found again, and a layout."""

import re
from collections.abc import Iterable, Iterator

from serve_app.domain.duplicates import normalise_vendor
from serve_app.domain.evidence import Evidence, PageWords
from serve_app.domain.invoice import Field
from serve_app.domain.memory import NAME, Keys
from serve_app.extraction.bounds import bounded_lines
from serve_app.extraction.memory.layout import keys_of_layout
from serve_app.extraction.parties.identifiers import compact, find_ibans, find_vat_ids

MOST = 40
"""Keys of one document."""
_HOST = re.compile(r"(?:https?://)?(?:www\.)?((?:[a-z0-9-]+\.)+[a-z]{2,})(?![\w@])", re.IGNORECASE)
_EMAIL = re.compile(r"[\w.+-]+@((?:[\w-]+\.)+[a-z]{2,})", re.IGNORECASE)
# Of these everybody may have an address.
_PUBLIC = frozenset(
    {
        *("gmail.com", "googlemail.com", "outlook.com", "hotmail.com", "live.com", "yahoo.com", "icloud.com"),
        *("aol.com", "gmx.de", "gmx.net", "web.de", "t-online.de", "freenet.de", "orange.fr", "free.fr"),
        *("wanadoo.fr", "laposte.net", "libero.it", "proton.me", "protonmail.com", "mail.com", "yandex.ru"),
        *("bluewin.ch", "btinternet.com"),
    }
)
_SHORTEST_NAME = 3


def keys_of_vendor(
    names: Iterable[str | None], vat_id: str | None, iban: str | None, hosts: Iterable[str | None]
) -> Keys:
    """The keys of a vendor of which this is known for certain."""
    found = [f"vat:{compact(vat_id)}"] if vat_id else []
    found += [f"iban:{compact(iban)}"] if iban else []
    found += [f"domain:{domain}" for host in hosts if host and (domain := _domain(host))]
    return tuple(dict.fromkeys([*found, *_names(names)]))


def keys_of_document(evidence: Evidence) -> Keys:
    """All that a document could be known by: of whichever party, because only a vendor's own teach."""
    lines = [" ".join(words) for page in evidence.pages for words in bounded_lines(list(_lines(page)))]
    found = [f"vat:{each}" for each in find_vat_ids(lines)] + [f"iban:{each}" for each in find_ibans(lines)]
    found += [f"domain:{domain}" for line in lines for domain in _domains_in(line)]
    vendor = evidence.fields.get(str(Field.VENDOR))
    found += _names(candidate.value for candidate in vendor.candidates) if vendor else []
    of_layout = keys_of_evidence_layout(evidence)
    return (*tuple(dict.fromkeys(found))[: MOST - len(of_layout)], *of_layout)


def keys_of_evidence_layout(evidence: Evidence) -> Keys:
    """The keys of the layout of the first page."""
    return keys_of_layout(_lines(evidence.pages[0])) if evidence.pages else ()


def _names(names: Iterable[str | None]) -> list[str]:
    keys = [normalise_vendor(name) for name in names if name]
    return [f"{NAME}{key}" for key in keys if len(key) >= _SHORTEST_NAME]


def _domains_in(line: str) -> Iterator[str]:
    for match in (*_EMAIL.finditer(line), *_HOST.finditer(line)):
        if domain := _domain(match[1]):
            yield domain


def _domain(host: str) -> str | None:
    """The host without `www` and what is before an address's at sign."""
    domain = host.rpartition("@")[2].casefold().removeprefix("www.")
    return domain if "." in domain and domain not in _PUBLIC else None


def _lines(page: PageWords) -> Iterator[list[str]]:
    """Words in the order in which they are read, a line at a time: a word that begins left of the one before begins a
    line."""
    line: list[str] = []
    last = -1
    for index, word in enumerate(page.words):
        x = page.boxes[4 * index]
        if line and x < last:
            yield line
            line = []
        line.append(word)
        last = x
    if line:
        yield line
