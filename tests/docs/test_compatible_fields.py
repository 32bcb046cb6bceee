"""The documentation has the fields that the adapters have."""

from scripts.compatible_fields import PAGE, with_tables


def test_the_tables_of_fields_are_up_to_date() -> None:
    # If this fails: python -m scripts.compatible_fields
    assert with_tables(PAGE.read_text()) == PAGE.read_text()
