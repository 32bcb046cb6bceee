"""A field is added, and its value pointed at on the page, in a browser."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import expect

from serve_app.domain.own_field import OwnField, OwnFieldScope, OwnFieldType
from serve_app.store.rows.own_fields import own_field_text
from serve_app.store.sqlite.engine.driver import sqlite3
from tests.browser.conftest import BlankPages, Visit, settings_in
from tests.browser.service import Served, served
from tests.browser.test_access import violations
from tests.browser.test_review import click_word
from tests.support.thorough import LOOKS

pytestmark = [pytest.mark.browser, pytest.mark.slow]

KIND = OwnField(name="kind", label="Kind of paper", type=OwnFieldType.TEXT)
LOT = OwnField(name="lot", label="Lot", type=OwnFieldType.TEXT, scope=OwnFieldScope.LINE)
_ADD = "INSERT INTO own_fields SELECT id, :name, :document FROM accounts"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Accounts of its own, each with two fields: they change every review."""
    folder = tmp_path_factory.mktemp("own_fields")
    with served(settings_in(folder), BlankPages()) as service:
        with closing(sqlite3.connect(folder / "invoices.db", isolation_level=None)) as connection:
            for field in (KIND, LOT):
                connection.execute(_ADD, {"name": field.name, "document": own_field_text(field)})
        yield service


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_a_field_is_added_and_removed_by_keyboard(visit: Visit, axe: str, width: int, scheme: str) -> None:
    page = visit("/app/fields", "owner", width=width, scheme=scheme)
    assert violations(page, axe) == []
    label = f"Delivered {width} {scheme}"
    page.get_by_label("Label").fill(label)
    page.get_by_label("Type").select_option("date")
    page.get_by_role("button", name="Add").press("Enter")
    expect(page.get_by_text("The field was added.")).to_be_visible()
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
    page.get_by_role("link", name=f"Remove {label}").press("Enter")
    assert violations(page, axe) == []
    page.get_by_role("button", name="Remove it").press("Enter")
    expect(page.get_by_text("The field was removed.")).to_be_visible()


def test_a_value_is_pointed_at_on_the_page(visit: Visit, service: Served, axe: str) -> None:
    page = visit(service.pile[0], "clerk", refusals=None)
    expect(page.locator("#review-screen")).to_have_attribute("data-words", "all")
    own = page.get_by_label("Kind of paper", exact=True)
    own.focus()
    click_word(page, "INVOICE")
    expect(own).to_have_value("INVOICE")
    own.press("Enter")
    expect(page.locator(".saving")).to_have_text("Saved")
    page.reload()
    expect(own).to_have_value("INVOICE")
    assert violations(page, axe) == []


def test_a_column_of_the_lines_is_filled_by_keyboard_and_by_clicks(visit: Visit, service: Served, axe: str) -> None:
    page = visit(service.pile[1], "clerk", refusals=None)
    expect(page.locator("#review-screen")).to_have_attribute("data-words", "all")
    first = page.get_by_label("Description, line 1", exact=True)
    description = first.input_value()
    lot = page.get_by_label("Lot, line 1", exact=True)
    lot.focus()
    click_word(page, "INVOICE")
    expect(lot).to_have_value("INVOICE")
    expect(page.locator(".saving")).to_have_text("Saved")
    assert violations(page, axe) == []
    lot.fill("L 7")
    lot.press("ArrowDown")
    expect(page.get_by_label("Lot, line 2", exact=True)).to_be_focused()
    expect(page.locator(".saving")).to_have_text("Saved")
    page.reload()
    expect(lot).to_have_value("L 7")
    expect(first).to_have_value(description)
