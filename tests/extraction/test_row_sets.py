"""Of two lists of the same sums, one has the rows that were invoiced."""

from serve_app.domain.invoice import Field
from serve_app.extraction.confidence.document_evidence import collect_evidence
from serve_app.extraction.fields import Fields, read_fields
from tests.extraction.test_line_items import Lines, document_and_reading, evidence_of, item

ITEMS = [item("Hosting", "600", "0.40", "240.00"), item("Storage", "300", "0.20", "60.00")]
USERS = [item("Anna", "150", "0.40", "60.00"), item("Bert", "600", "0.40", "240.00")]
DAYS = [item("Hosting", "200", "0.40", "80.00") for _ in range(3)]
SUMS: Lines = [
    [(50, "Subtotal"), (85, "300.00|SUBTOTAL")],
    [(50, "VAT"), (85, "60.00|TAX")],
    [(50, "Total"), (85, "360.00|TOTAL")],
]
HEAD: Lines = [[(5, "Description"), (50, "Quantity"), (65, "Price"), (85, "Amount")]]
USAGE: Lines = [[(5, "Total usage"), (85, "240.00|SUBTOTAL")]]


def fields_of(*pages: Lines) -> Fields:
    return read_fields(evidence_of(*pages))


def described(fields: Fields) -> list[str | None]:
    return [row.description for row in fields.rows]


class TestSecondLists:
    def test_days_of_one_item_on_the_next_page_replace_no_row(self) -> None:
        fields = fields_of([*HEAD, *ITEMS, *SUMS], [*HEAD, *DAYS, *USAGE])
        assert (described(fields), fields.items.has_rival) == (["Hosting", "Storage"], False)

    def test_a_table_that_goes_on_on_the_next_page_keeps_all_its_rows(self) -> None:
        fields = fields_of([*HEAD, ITEMS[0]], [*HEAD, ITEMS[1], *SUMS])
        assert (described(fields), fields.items.has_rival) == (["Hosting", "Storage"], False)

    def test_copies_do_not_multiply_rows(self) -> None:
        fields = fields_of(*([*HEAD, *ITEMS, *SUMS] for _ in range(3)))
        assert (described(fields), fields.items.has_rival) == (["Hosting", "Storage"], False)

    def test_another_list_of_the_same_sum_is_a_rival(self) -> None:
        fields = fields_of([*HEAD, *ITEMS, *SUMS], [*HEAD, *USERS, *SUMS[:1]])
        assert (described(fields), fields.items.has_rival) == (["Hosting", "Storage"], True)

    def test_of_a_summary_and_its_rows_the_rows_were_invoiced(self) -> None:
        groups = [item("Group", "1", "300.00", "300.00")]
        fields = fields_of([*HEAD, *groups, *SUMS[:1]], [*HEAD, *ITEMS, *SUMS])
        assert (described(fields), fields.items.has_rival) == (["Hosting", "Storage"], True)

    def test_rows_behind_the_sum_of_a_page_are_no_second_list(self) -> None:
        page_sum: Lines = [[(50, "Subtotal"), (85, "300.00|TOTAL")]]
        more = [item("Backup", "7", "3.00", "21.00"), item("Domain", "2", "4.50", "9.00")]
        assert len(fields_of([*HEAD, *ITEMS, *page_sum], [*HEAD, *more]).rows) == 4


class TestSupport:
    def test_neither_table_nor_rows_are_plausible_beside_a_rival(self) -> None:
        for second, is_plausible in ((USERS, False), (ITEMS, True)):
            document, reading = document_and_reading([*HEAD, *ITEMS, *SUMS], [*HEAD, *second, *SUMS[:1]])
            collected = collect_evidence(document, reading, reading)
            assert collected.table_support().is_plausible is is_plausible
            assert collected.row_support(collected.rows[0]).is_plausible is is_plausible
            assert collected.support(Field.AMOUNT).is_plausible
