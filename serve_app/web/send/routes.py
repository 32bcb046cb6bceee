"""Sending documents."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fastapi import APIRouter
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from serve_app.domain.errors import MissingFile, ServiceError
from serve_app.domain.invoice import Invoice, Source
from serve_app.domain.limits import megabytes
from serve_app.http.error_table import answer_to
from serve_app.http.forms import read_form
from serve_app.services.bundle import Services
from serve_app.services.intake.created import Replay
from serve_app.services.intake.submit import Upload
from serve_app.system.thread_pools import FILES
from serve_app.web.changes import record
from serve_app.web.pages import fragment, page, redirect
from serve_app.web.send.errors import explain
from serve_app.web.send.view import sent_lately
from serve_app.web.visitor import AnyServices, Reviewer, Visitor

router = APIRouter(prefix="/send")

_MAX_FILES = 100
_SAMPLE = Path(__file__).with_name("sample.pdf")


@dataclass(frozen=True, slots=True)
class _Accepted:
    """What became of one file: its invoices, and sentences about what could not be taken."""

    invoices: list[Invoice]
    problems: list[str]


@router.get("")
async def show_send(request: Request, services: AnyServices, visitor: Reviewer) -> HTMLResponse:
    """Where documents are sent, and what became of those that were sent last."""
    return page(
        request,
        visitor,
        "send/send.html",
        sent=await sent_lately(services, visitor.account.id),
        limit=megabytes(services.settings.max_file_bytes),
    )


@router.get("/recent")
async def show_recent(request: Request, services: AnyServices, visitor: Reviewer) -> HTMLResponse:
    """The list alone, asked for every two seconds while something is on its way."""
    return fragment(request, visitor, "send/send.html", "recent", sent=await sent_lately(services, visitor.account.id))


@router.post("")
async def send_documents(request: Request, services: AnyServices, visitor: Reviewer) -> Response:
    """Accept documents: one file from a script, which wants JSON, or all of a form."""
    is_script = "application/json" in request.headers.get("accept", "")
    try:
        uploads = await _uploads(request)
        if is_script:
            return _answer(await _accept_upload(services, visitor, uploads[0]))
    except ServiceError as error:
        message = explain(error, services.settings.max_file_bytes)
        if is_script:
            return JSONResponse({"message": message}, answer_to(error).status)
        return redirect("/app/send", message)
    return redirect("/app/send", await _accept_all(services, visitor, uploads))


@router.post("/sample")
async def send_sample(services: AnyServices, visitor: Reviewer) -> Response:
    """Send the invoice that comes with the service."""
    data = await FILES.run(_sample)
    try:
        await _accept(services, visitor, Upload(data, "sample-invoice.pdf", Source.APP))
    except ServiceError as error:
        return redirect("/app/send", explain(error, services.settings.max_file_bytes))
    return redirect("/app/send", "The sample was sent.")


@cache
def _sample() -> bytes:
    return _SAMPLE.read_bytes()


async def _uploads(request: Request) -> list[Upload]:
    """Raises MissingFile if no file was chosen."""
    form = await read_form(request, _MAX_FILES)
    try:
        files = [file for file in form.getlist("file") if isinstance(file, UploadFile) and file.filename]
        if not files:
            raise MissingFile("Choose a file.")
        return [Upload(await file.read(), file.filename, Source.APP) for file in files]
    finally:
        await form.close()


def _answer(accepted: _Accepted) -> Response:
    """For a script: the first invoice, how many there are, and what of the file is none."""
    if not accepted.invoices:
        return JSONResponse({"message": " ".join(accepted.problems)}, 415)
    first = accepted.invoices[0].id
    ids = [str(invoice.id) for invoice in accepted.invoices]
    return JSONResponse(
        {"id": str(first), "path": f"/app/invoices/{first}", "ids": ids, "problems": accepted.problems}, 202
    )


async def _accept_all(services: Services, visitor: Visitor, uploads: list[Upload]) -> str:
    """What happened, in words. One that is refused does not keep the others from being accepted."""
    count, problems = 0, []
    for upload in uploads:
        try:
            accepted = await _accept_upload(services, visitor, upload)
            count += len(accepted.invoices)
            problems += accepted.problems
        except ServiceError as error:
            problems.append(f"{upload.name}: {explain(error, services.settings.max_file_bytes)}")
    sent = [f"{count} {'document' if count == 1 else 'documents'} sent."] if count else []
    return " ".join(sent + problems)


async def _accept_upload(services: Services, visitor: Visitor, upload: Upload) -> _Accepted:
    """Accept each document of a file. Raises ServiceError if the file is itself a document that is refused."""
    opened = await services.uploads.open(upload)
    if list(opened.documents) == [upload]:
        return _Accepted([await _accept(services, visitor, upload)], [])
    accepted = _Accepted([], list(opened.problems))
    for document in opened.documents:
        try:
            accepted.invoices.append(await _accept(services, visitor, document))
        except ServiceError as error:
            accepted.problems.append(f"{document.name}: {explain(error, services.settings.max_file_bytes)}")
    return accepted


async def _accept(services: Services, visitor: Visitor, upload: Upload) -> Invoice:
    await services.start_times.check(visitor.account.id)
    permit = await services.creation.begin(visitor.account, None)
    if isinstance(permit, Replay):
        raise RuntimeError("a request without an idempotency key repeats none")
    created = await services.creation.accept(permit, upload, wait=False)
    await record(services, visitor, "invoice.sent", str(created.invoice.id))
    return created.invoice
