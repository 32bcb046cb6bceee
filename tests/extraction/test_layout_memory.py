"""What is learned from documents in the same layout, whoever their vendor is."""

from serve_app.extraction.memory.keys import keys_of_document, keys_of_evidence_layout
from serve_app.extraction.memory.recall import recall
from tests.extraction.test_memory import Read, page, place_of, read, taught

TEMPLATE = [
    "Thank you for your order from our online shop",
    "Please transfer the total within thirty days without deduction",
    "All goods remain our property until payment has been received in full",
]


def seen(vendor: str, number: str, customer: str, template: list[str] = TEMPLATE) -> Read:
    """An invoice of a vendor on which the customer's number is taken for the invoice's."""
    _, *rest = page(number, customer)
    return read([f"{vendor}|SELLER", *rest, *template])


def keys(of: Read) -> set[str]:
    return set(keys_of_evidence_layout(of.evidence))


def test_the_keys_of_a_template_are_the_same_for_every_vendor_and_number() -> None:
    one, other = seen("Akme", "INV-1", "C-77"), seen("Bolt", "INV-22", "C-8")
    assert len(keys(one) & keys(other)) >= 2


def test_other_templates_have_other_keys() -> None:
    foreign = [" ".join(word[::-1] for word in line.split()) for line in TEMPLATE]
    assert not keys(seen("Akme", "INV-1", "C-77")) & keys(seen("Akme", "INV-1", "C-77", foreign))


def test_too_few_words_have_no_layout() -> None:
    assert keys(read(page())) == set()


def test_a_layout_teaches_where_values_stand_and_no_name() -> None:
    first, second = seen("Akme", "INV-1", "C-77"), seen("Akme", "INV-2", "C-78")
    examples = [
        taught(each, invoice_number=(number, place_of(each, number)), vendor="Akme Incorporated", currency="USD")
        for each, number in ((first, "INV-1"), (second, "INV-2"))
    ]
    third = seen("Bolt", "INV-3", "C-79")
    assert third.extraction.invoice_number == "C-79"
    collected = recall(third.extraction, third.evidence, keys_of_document(third.evidence), examples).extraction
    assert collected.invoice_number == "INV-3"
    assert (collected.vendor_name, collected.currency) == (third.extraction.vendor_name, third.extraction.currency)
