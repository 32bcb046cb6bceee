"""Lists that a person saves, renames and deletes."""

import re

from serve_app.domain.person import Role
from serve_app.domain.saved_view import MAX_VIEWS
from tests.web.conftest import SignedIn

LIST, HERE = "/app/invoices", "/app/invoices/views"


async def test_a_list_is_saved_and_shown_to_its_person_alone(signed_in: SignedIn) -> None:
    ann, bob = await signed_in(Role.VIEWER), await signed_in(Role.VIEWER, "bob@example.com")
    state = "vendor=acme&sort=-amount&show=file"
    answer = await ann.post(HERE, data={"name": " Acme <b> ", "state": state + "&nonsense=1"}, follow_redirects=True)
    assert str(answer.url).endswith(f"{LIST}?{state}")
    assert "was saved. Only you can see it." in answer.text
    assert re.search(r'vendor=acme[^"]*" aria-current="true">.*Acme &lt;b&gt;</a>', answer.text)
    assert "Acme &lt;b&gt;" not in (await bob.get(LIST)).text
    # The same name is the same view.
    await ann.post(HERE, data={"name": "acme <B>", "state": "paid=true"})
    page = (await ann.get(HERE)).text
    assert page.count("/rename") == 1
    assert "/app/invoices?paid=true" in page


async def test_a_view_is_renamed_and_deleted_by_its_person_alone(signed_in: SignedIn) -> None:
    ann, bob = await signed_in(Role.VIEWER), await signed_in(Role.OWNER, "bob@example.com")
    for name in ("One", "Two"):
        await ann.post(HERE, data={"name": name, "state": "paid=true"})
    first, _ = re.findall(rf"{HERE}/([0-9a-f-]+)/rename", (await ann.get(HERE)).text)
    for path in (f"{HERE}/{first}/rename", f"{HERE}/{first}/delete", f"{HERE}/x/delete"):
        assert (await bob.post(path, data={"name": "x"})).status_code == 404
    for name, notice in (
        ("two", "Another of your views has this name."),
        (" ", "Enter a name for the view."),
        ("x" * 61, "A name has at most 60 characters."),
        ("Erste", "The view was renamed."),
    ):
        answer = await ann.post(f"{HERE}/{first}/rename", data={"name": name}, follow_redirects=True)
        assert notice in answer.text
    assert 'value="Erste"' in answer.text
    answer = await ann.post(f"{HERE}/{first}/delete", follow_redirects=True)
    assert "Erste" not in answer.text
    assert 'value="Two"' in answer.text


async def test_nobody_has_more_views_than_a_line_can_show(signed_in: SignedIn) -> None:
    ann = await signed_in(Role.VIEWER)
    for number in range(MAX_VIEWS + 1):
        answer = await ann.post(HERE, data={"name": f"View {number}", "state": ""}, follow_redirects=True)
    assert "Delete one first." in answer.text
    assert (await ann.get(HERE)).text.count("/rename") == MAX_VIEWS
