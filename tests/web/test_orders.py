"""The pages of orders: what is open, imports with a preview, tolerances, and the match on the invoice."""

from serve_app.domain.account import Account
from serve_app.domain.invoice import Extraction
from serve_app.domain.order_match import MatchedLine, MatchedOrder, OrderFinding, OrderFindingKind, OrderMatch
from serve_app.domain.order_match import OrderMatchStatus as Match
from serve_app.domain.order_rules import OrderRules
from serve_app.domain.person import Role
from serve_app.domain.purchase_order import OrderQuery, PurchaseOrder
from serve_app.store.base import Store
from tests.api.invoices import complete_one
from tests.support.orders import make_order
from tests.web.conftest import Browse

CSV = "number,vendor,currency,quantity,unit_price,description\nPO-1,Norvik <b>,EUR,10,25.00,Oak desk\n"


async def add_order(store: Store, account: Account) -> PurchaseOrder:
    order = make_order(account.id, "PO-1001", vendor="Norvik <b>")
    assert await store.purchase_orders.add(order)
    return order


async def bill(store: Store, account: Account, order: PurchaseOrder, quantity: str = "4") -> str:
    text = "Line 1 costs <more>."
    line = MatchedLine(line=1, order_id=order.id, order_line=1, quantity=quantity, amount="1")
    match = OrderMatch(
        status=Match.DIFFERS,
        orders=[MatchedOrder(id=order.id, number=order.number)],
        lines=[line],
        findings=[OrderFinding(kind=OrderFindingKind.PRICE_ABOVE, text=text)],
    )
    return str((await complete_one(store, account, Extraction(invoice_number="R-77", order_match=match))).id)


class TestLists:
    async def test_without_orders_the_next_step_is_named(self, browse: Browse) -> None:
        page = (await browse().get("/app/orders")).text
        assert "No orders yet" in page
        assert 'href="/app/orders/import"' in page
        assert 'href="/app/orders/import"' not in (await browse(Role.VIEWER).get("/app/orders")).text

    async def test_orders_are_listed_with_what_is_open(self, browse: Browse, store: Store, account: Account) -> None:
        order = await add_order(store, account)
        await bill(store, account, order)
        page = (await browse(Role.VIEWER).get("/app/orders")).text
        assert "Norvik &lt;b&gt;" in page
        assert "150.00" in page
        assert "250.00" in page
        assert "No order matches" in (await browse().get("/app/orders?number=none")).text
        assert "PO-1001" in (await browse().get("/app/orders?number=po1001&status=open")).text

    async def test_an_order_shows_its_lines_and_invoices_and_is_closed(
        self, browse: Browse, store: Store, account: Account
    ) -> None:
        order = await add_order(store, account)
        await bill(store, account, order)
        browser, path = browse(Role.REVIEWER), f"/app/orders/{order.id}"
        page = (await browser.get(path)).text
        assert "Oak desk" in page
        assert "R-77" in page
        page = (await browser.post(f"{path}/status", data={"status": "closed"}, follow_redirects=True)).text
        assert "The order is closed." in page
        assert "Open again" in page
        assert (await browse(Role.VIEWER).post(f"{path}/status", data={"status": "open"})).status_code == 403
        assert (await browser.get("/app/orders/7")).status_code == 404


class TestImport:
    async def test_a_file_is_shown_before_it_is_imported(self, browse: Browse, store: Store, account: Account) -> None:
        browser = browse(Role.REVIEWER)
        page = (await browser.post("/app/orders/import", files={"file": ("orders.csv", CSV.encode())})).text
        assert "1 new, 0 changed, 0 unchanged orders." in page
        assert "Norvik &lt;b&gt;" in page
        assert await store.purchase_orders.matching_rules(account.id) is None
        answer = await browser.post("/app/orders/import", data={"text": CSV, "confirm": "yes"}, follow_redirects=True)
        assert "1 new and 0 changed orders imported." in answer.text
        (order,) = (await store.purchase_orders.page(account.id, OrderQuery(), 9)).items
        assert order.number == "PO-1"
        (entry, *_) = (await store.audit.page(account.id, 9)).items
        assert entry.action == "order.imported"

    async def test_errors_name_their_line_and_change_nothing(
        self, browse: Browse, store: Store, account: Account
    ) -> None:
        wrong = CSV.replace("10", "ten")
        for data in ({"text": wrong}, {"text": wrong, "confirm": "yes"}):
            answer = await browse().post("/app/orders/import", data=data)
            assert answer.status_code == 400
            assert "Line 2: The quantity &#39;ten&#39; is not a number." in answer.text
        assert "Choose a CSV file" in (await browse().post("/app/orders/import", data={})).text
        large = {"file": ("orders.csv", b"x" * 200_001)}
        page = (await browse().post("/app/orders/import", files=large)).text
        assert "is larger than" in page, page[-1500:]
        assert await store.purchase_orders.matching_rules(account.id) is None
        assert (await browse(Role.VIEWER).get("/app/orders/import")).status_code == 403


class TestRules:
    async def test_an_owner_sets_the_tolerances(self, browse: Browse, store: Store, account: Account) -> None:
        form = {"price_percent": "2,5", "amount": "1", "quantity_percent": "0", "skip_review": "on"}
        assert "Either of the two is enough." in (await browse().get("/app/orders/rules")).text
        assert (await browse().post("/app/orders/rules", data=form)).headers["location"] == "/app/orders"
        rules = await store.purchase_orders.rules(account.id)
        assert rules == OrderRules.model_validate({**form, "price_percent": "2.5", "skip_review": True})
        for wrong in ({**form, "amount": "x"}, {**form, "price_percent": "101"}, {**form, "amount": "NaN"}):
            assert (await browse().post("/app/orders/rules", data=wrong)).status_code == 400
        assert await store.purchase_orders.rules(account.id) == rules
        assert (await browse(Role.REVIEWER).get("/app/orders/rules")).status_code == 403


async def test_an_invoice_and_its_review_show_the_order_and_what_differs(
    browse: Browse, store: Store, account: Account
) -> None:
    order = await add_order(store, account)
    id = await bill(store, account, order)
    for path in (f"/app/invoices/{id}", f"/app/review/{id}"):
        page = (await browse().get(path)).text
        assert f'href="/app/orders/{order.id}"' in page
        assert "Line 1 costs &lt;more&gt;." in page
