"""What browsers keep of the pages ends with the session."""

from serve_app.domain.account import Account
from serve_app.store.base import Files, Store
from tests.support import PDF_BYTES
from tests.support.mails import READ, complete_invoice
from tests.web.conftest import NewBrowser, SignedIn


async def test_a_picture_does_not_outlive_the_session(
    signed_in: SignedIn, new: NewBrowser, store: Store, files: Files, account: Account
) -> None:
    invoice = await complete_invoice(store, account.id, READ)
    await files.write(f"{account.id}/{invoice.id}", PDF_BYTES)
    browser = await signed_in()
    for path in (f"/app/invoices/{invoice.id}/pages/1.jpg", f"/app/review/{invoice.id}/cut/pages/1.jpg"):
        picture = await browser.get(path)
        assert picture.headers["cache-control"] == "private, no-cache"
        kept = {"If-None-Match": picture.headers["etag"]}
        assert (await browser.get(path, headers=kept)).status_code == 304
        assert (await new().get(path, headers=kept)).status_code == 303
    await browser.post("/app/sign-out")
    assert (await browser.get(path, headers=kept)).status_code == 303
