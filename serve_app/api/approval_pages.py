"""The pages behind the link in an approval mail: HTML without scripts, never JSON."""

import logging
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request
from fastapi.routing import APIRoute
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import ClientDisconnect
from starlette.responses import HTMLResponse, Response

from serve_app.domain.errors import ServiceError
from serve_app.domain.invoice import ApprovalStatus, Invoice
from serve_app.http.error_table import answer_to
from serve_app.services.approval.facts import ApprovalFacts
from serve_app.services.approval.links import ApprovalLinkError, LinkProblem

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
    "X-Content-Type-Options": "nosniff",
}
_PROBLEMS = {
    LinkProblem.INVALID: (403, "This link is not valid", "Open it exactly as it is in the e-mail."),
    LinkProblem.EXPIRED: (403, "This link has expired", "Links work for 14 days. Ask the sender for a new e-mail."),
    LinkProblem.ANSWERED: (
        410,
        "This request has been answered",
        "A request can be answered only once. If you pressed a button twice, the first press counts.",
    ),
    LinkProblem.NOT_OPEN: (
        410,
        "This link is no longer valid",
        "A newer e-mail replaced it, or the invoice was deleted. If the e-mail has just arrived, try again in a "
        "minute.",
    ),
    LinkProblem.NOT_COMPLETE: (
        409,
        "The invoice is being read again",
        "You can answer after that. Try again in a few minutes.",
    ),
    LinkProblem.CHANGED: (
        409,
        "The invoice has changed",
        "The invoice changed after you opened this page. Nothing was decided. Open the link in the e-mail again.",
    ),
}
_ANSWERS = (("approve", "Approve"), ("reject", "Reject"))
_TEMPLATE = Environment(
    loader=PackageLoader("serve_app.api"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
).get_template("approval.html")

log = logging.getLogger(__name__)


def question(invoice: Invoice, preferred: str | None) -> HTMLResponse:
    """The facts and a button for each answer, with the `preferred` answer first."""
    facts = ApprovalFacts.of(invoice)
    answers = sorted(_ANSWERS, key=lambda answer: answer[0] != preferred)
    return _page(200, f"Do you approve {facts.title}?", facts=facts, answers=answers)


def thanks(invoice: Invoice) -> HTMLResponse:
    """A page that confirms the recorded decision."""
    word = "approved" if invoice.approval_status is ApprovalStatus.APPROVED else "rejected"
    return notice(200, f"You have {word} {ApprovalFacts.of(invoice).title}", "You can close this page.")


def notice(status: int, heading: str, text: str) -> HTMLResponse:
    """A page with a single message."""
    return _page(status, heading, facts=None, text=text)


def _page(status: int, heading: str, **parts: object) -> HTMLResponse:
    return HTMLResponse(_TEMPLATE.render(heading=heading, **parts), status, _HEADERS)


class PageRoute(APIRoute):
    """A route that reports its errors as pages as well."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_or_explain(request: Request) -> Response:
            try:
                return await handle(request)
            except ApprovalLinkError as error:
                return notice(*_PROBLEMS[error.problem])
            except ServiceError as error:
                answer = answer_to(error)
                return _unavailable(answer.status, answer.headers)
            except ClientDisconnect:
                raise
            except Exception:
                log.exception("approval page failed")
                return _unavailable(500, {})

        return handle_or_explain


def _unavailable(status: int, headers: dict[str, str]) -> HTMLResponse:
    page = notice(status, "That did not work", "Nothing was decided. Try again in a minute.")
    page.headers.update(headers)
    return page
