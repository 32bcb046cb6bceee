"""Documents of one vendor whose values are known: labelled ones, and those of a folder with their truth."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from models.evaluation.dataset import Case, Truth, load_dataset
from models.evaluation.documents import DocumentCache
from models.evaluation.labelled_cases import case_of
from models.training.real import read_real
from models.training.sample import Sample
from serve_app.documents.isolation.supervisor import Supervisor
from serve_app.domain.document import Document
from serve_app.domain.duplicates import normalise_vendor
from serve_app.settings.reading import read_settings

_FEWEST = 3
"""Documents of one vendor: two that teach, and one that is read."""
_KEYS = {"vendor_name", "invoice_number", "amount", "currency", "issued_at", "due_at", "tax"}


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """A document and its truth. `tags` runs parallel to its pages and their words; it is empty if nobody labelled
    them."""

    document: Document
    truth: Truth
    tags: tuple[tuple[str, ...], ...] = ()


def of_sample(sample: Sample) -> KnownDocument:
    """A generated document; the second name of its issuer is accepted, too."""
    values = sample.truth.model_dump(mode="json", include=_KEYS)
    return KnownDocument(sample.document, values | {"_vendor_alt": [sample.brand] if sample.brand else []}, sample.tags)


def labelled_vendors(folder: Path) -> Iterator[list[KnownDocument]]:
    """The invoices of each issuer of the validation split that has three or more. Raises RealDataError."""
    issuers = defaultdict(list)
    for labelled in read_real(folder, "validation"):
        for truth in case_of(labelled).truths:
            known = KnownDocument(labelled.document, truth, labelled.tags)
            issuers[labelled.source, labelled.issuer].append(known)
    return (documents for documents in issuers.values() if len(documents) >= _FEWEST)


def vendors_of_folder(folder: Path, cache: Path, *, versions: bool) -> Iterator[list[KnownDocument]]:
    """The same for the files of one invoice in a folder with docs/ and truth/; what electronic invoices in them say is
    left out. Of files with the same number and amount only the first counts, unless `versions`. Raises DatasetError
    and, for a file that cannot be read, DocumentError."""
    options = read_settings().read_options()
    vendors = [cases if versions else _without_versions(cases) for cases in _by_vendor(load_dataset(folder))]
    with closing(Supervisor(options)) as reader:
        documents = DocumentCache(cache / "documents", reader.read_next, options)
        for cases in vendors:
            if len(cases) >= _FEWEST:
                yield [_known(case, documents.read(case.path.read_bytes())) for case in cases]


def _by_vendor(cases: Iterable[Case]) -> Iterable[list[Case]]:
    vendors: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        if len(case.truths) == 1 and (name := case.truths[0].get("vendor_name")):
            vendors[normalise_vendor(name)].append(case)
    return vendors.values()


def _without_versions(cases: Iterable[Case]) -> list[Case]:
    first: dict[tuple[object, object], Case] = {}
    for case in cases:
        (truth,) = case.truths
        first.setdefault((truth.get("invoice_number"), truth.get("amount")), case)
    return list(first.values())


def _known(case: Case, document: Document) -> KnownDocument:
    (truth,) = case.truths
    hidden = truth.get("_not_printed", ())
    printed = {key: value for key, value in truth.items() if key not in hidden}
    return KnownDocument(replace(document, einvoice=None), printed)
