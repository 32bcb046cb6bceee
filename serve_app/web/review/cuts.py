"""The pages of a file, and which of them make an invoice."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from fastapi import APIRouter
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from serve_app.domain.cutting import CutPlan, Part, Sheet, pages_of
from serve_app.domain.errors import CutChanged, InvalidParameter, LimitReached, PartNotFound, ServiceError
from serve_app.domain.ids import parse_id
from serve_app.domain.invoice import Invoice
from serve_app.http.answers import PictureAnswer
from serve_app.services.cutting.service import OpenFile, Seen
from serve_app.web.changes import record
from serve_app.web.formats import Formats, formats_of
from serve_app.web.invoices.view import title_of
from serve_app.web.pages import page, redirect
from serve_app.web.query_parameters import require_id
from serve_app.web.visitor import AnyServices, Reviewer

router = APIRouter(prefix="/review/{id}/cut")

_TURNS = {"": 0, "r": 90, "d": 180, "l": 270}
_LETTERS = {turn: letter for letter, turn in _TURNS.items()}


@dataclass(frozen=True, slots=True)
class Thumb:
    """One page of the file. `begins` is the invoice that starts here, `belongs` whether it is an invoice's at all,
    `chance` how likely the model holds it that one begins here, in percent."""

    number: int
    begins: Invoice | None
    belongs: bool
    title: str
    chance: int | None

    @property
    def role(self) -> str:
        """What the page is now."""
        if not self.belongs:
            return "none"
        return "begins" if self.begins else "continues"


@router.get("")
async def show_cuts(request: Request, id: str, services: AnyServices, visitor: Reviewer) -> Response:
    """The pages of the file, with the cuts between its invoices."""
    file = await services.cutting.look(visitor.account.id, require_id(id))
    return page(
        request,
        visitor,
        "review/cut.html",
        id=id,
        file=file,
        thumbs=thumbs_of(file),
        parts=text_of(_present(file)),
        seen=_seen_text(file.seen),
        name=file.records[0].invoice.file.name or "without a name",
        quota=await services.monthly_limits.quota(visitor.account),
    )


@router.get("/pages/{number}.jpg")
async def show_page(id: str, number: int, services: AnyServices, visitor: Reviewer) -> Response:
    """A page of the file, whichever invoice it belongs to."""
    try:
        picture = await services.pictures.of_file(visitor.account.id, require_id(id), number)
    except PartNotFound:
        return Response(status_code=404)
    return PictureAnswer(picture)


@router.get("/price")
async def show_price(request: Request, id: str, parts: str, services: AnyServices, visitor: Reviewer) -> Response:
    """What cutting the file so would do, in words."""
    formats = formats_of(request.headers.get("accept-language", ""))
    try:
        plan = await services.cutting.price(visitor.account.id, require_id(id), parts_in(parts))
    except ServiceError as error:
        return JSONResponse({"message": error.message, "ok": False})
    return JSONResponse({"message": words_for(plan, formats), "ok": not plan.is_empty})


@router.post("")
async def cut(request: Request, id: str, services: AnyServices, visitor: Reviewer) -> Response:
    """Cut the file; asks first, and says what that costs."""
    form = await request.form()
    invoice_id = require_id(id)
    formats = formats_of(request.headers.get("accept-language", ""))
    back = f"/app/review/{invoice_id}/cut"
    try:
        parts, seen = _parts_of(form), _seen_in(_text(form, "seen"))
        if not form.get("sure"):
            plan = await services.cutting.price(visitor.account.id, invoice_id, parts)
            if plan.is_empty:
                return redirect(back, "Nothing changes.")
            words, text = words_for(plan, formats), text_of(parts)
            return page(request, visitor, "review/cut_sure.html", id=id, words=words, parts=text, seen=form.get("seen"))
        plan = await services.cutting.cut(visitor.account, invoice_id, parts, seen)
    except (InvalidParameter, CutChanged, LimitReached) as error:
        return redirect(back, error.message)
    await record(services, visitor, "invoice.cut", str(plan.batch_id), invoices=len(plan.pieces))
    return redirect(f"/app/invoices?batch={plan.batch_id}", words_for(plan, formats, done=True))


@router.post("/unlock")
async def unlock(request: Request, id: str, services: AnyServices, visitor: Reviewer) -> Response:
    """Read a document that is protected with a password."""
    invoice_id = require_id(id)
    form = await request.form()
    try:
        await services.cutting.unlock(visitor.account, invoice_id, _text(form, "password"))
    except (InvalidParameter, LimitReached) as error:
        return redirect(f"/app/invoices/{invoice_id}", error.message)
    await record(services, visitor, "invoice.unlocked", str(invoice_id))
    return redirect(f"/app/invoices/{invoice_id}", "The document is being read. The password was not stored.")


def thumbs_of(file: OpenFile) -> list[Thumb]:
    """The pages of a file, in its order."""
    invoices = [each.invoice for each in file.records]
    starts = {pages_of(invoice)[0]: invoice for invoice in invoices}
    owners = {
        number: invoice for invoice in invoices for number in range(pages_of(invoice)[0], pages_of(invoice)[1] + 1)
    }
    return [
        Thumb(
            number,
            starts.get(number),
            number in owners,
            title_of(owners[number]) if number in owners else "",
            # Something always begins on the first page.
            file.chances.get(number) if number > 1 else None,
        )
        for number in range(1, file.pages + 1)
    ]


def words_for(plan: CutPlan, formats: Formats, *, done: bool = False) -> str:
    """What a plan does, for people."""
    if plan.is_empty:
        return "Nothing changes."
    count = len(plan.pieces)
    invoices = f"{formats.number(count)} invoice" + ("s" if count != 1 else "")
    verb = ("is" if plan.added == 1 else "are") if done else "will be"
    reads = f"{formats.number(plan.added)} {verb} read"
    removed = len(plan.removed)
    gone = (
        f", {formats.number(removed)} {'was' if removed == 1 else 'were'} replaced"
        if done
        else (f", {formats.number(removed)} existing ones and their reviews will be replaced")
    )
    units = abs(plan.cost)
    price = f"{formats.number(units)} unit{'s' if units != 1 else ''} of the quota"
    cost = (
        "This costs no unit of the quota." if not units else f"This {'costs' if plan.cost > 0 else 'returns'} {price}."
    )
    return f"{invoices}: {reads}{gone if removed else ''}. {cost}"


def text_of(parts: Sequence[Part]) -> str:
    """Parts as a text: pages with their turns, invoices separated by bars, as in `1 2r|3`."""
    return "|".join(" ".join(f"{sheet.page}{_LETTERS[sheet.turn]}" for sheet in part) for part in parts)


def parts_in(text: str) -> list[Part]:
    """The parts of such a text. Raises InvalidParameter."""
    try:
        return [tuple(_sheet(word) for word in part.split()) for part in text.split("|")]
    except (ValueError, KeyError):
        raise InvalidParameter("The list of pages is not valid. Load the page again.") from None


def _sheet(word: str) -> Sheet:
    number = word.rstrip("rdl")
    if not (number.isascii() and number.isdecimal() and len(number) < 6):
        raise ValueError(word)
    return Sheet(page=int(number), turn=_TURNS[word[len(number) :]])


def _parts_of(form: FormData) -> list[Part]:
    """The parts that the script wrote, or else what is chosen for each page."""
    text = _text(form, "parts")
    if _text(form, "scripted") or form.get("sure"):
        return parts_in(text)
    parts: list[list[Sheet]] = []
    for number in range(1, int(_text(form, "pages") or 0) + 1):
        role = _text(form, f"role-{number}")
        if role == "none":
            continue
        if role == "begins" or not parts:
            parts.append([])
        parts[-1].append(Sheet(page=number, turn=int(_text(form, f"turn-{number}") or 0)))
    return [tuple(part) for part in parts]


def _present(file: OpenFile) -> list[Part]:
    """The pages of each invoice; several may share one."""
    spans = dict.fromkeys(pages_of(each.invoice) for each in file.records)
    return [tuple(Sheet(page=number) for number in range(first, last + 1)) for first, last in spans]


def _seen_text(seen: Seen) -> str:
    return " ".join(f"{id}:{first}:{last}" for id, (first, last) in seen.items())


def _seen_in(text: str) -> dict[UUID, tuple[int, int]]:
    seen: dict[UUID, tuple[int, int]] = {}
    for word in text.split():
        id, first, last = [*word.split(":"), "", ""][:3]
        found = parse_id(id)
        if found is None or not first.isdecimal() or not last.isdecimal():
            raise CutChanged
        seen[found] = (int(first), int(last))
    return seen


def _text(form: FormData, name: str) -> str:
    value = form.get(name)
    return value if isinstance(value, str) else ""
