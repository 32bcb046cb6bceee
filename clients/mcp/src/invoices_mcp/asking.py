"""Questions to a person before an action, asked if something is not certain. An action follows a yes only."""

from collections.abc import Sequence
from typing import Any

from mcp.server.mcpserver import AcceptedElicitation, Context, Elicit, ElicitationResult
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, Field

from invoices_client import AsyncClient, NotFoundError
from invoices_client.models import Invoice
from invoices_mcp.access import Access, access_of
from invoices_mcp.answers import invoice_answer
from invoices_mcp.doubts import Doubt, doubts_of, doubts_of_words, lines
from invoices_mcp.untrusted import quoted

_MOST_PAGES = 20


class Decision(BaseModel):
    """The answer of a person."""

    agree: bool = Field(title="Do it", description="Yes, I have looked at the document, and want this.")


class Certain(Decision):
    """Nothing is left to ask."""

    agree: bool = True


async def ask_to_mark_paid(invoice_id: str, ctx: Context[Any, Any]) -> Decision | Elicit[Decision]:
    """The question before an invoice is marked as paid."""
    access = access_of(ctx)
    invoice = await _complete(access.client, invoice_id)
    if invoice.paid:
        return Certain()
    return _question(ctx, invoice, "Mark it as paid?", await _doubts(access, invoice))


async def ask_to_request_approval(invoice_id: str, email: str, ctx: Context[Any, Any]) -> Decision | Elicit[Decision]:
    """The question before a person is asked for approval by e-mail."""
    access = access_of(ctx)
    invoice = await _complete(access.client, invoice_id)
    doubts = await _doubts(access, invoice)
    if not _is_approver(email, access):
        doubts.append(Doubt(about="recipient", reason="not among the operator's approvers"))
    return _question(ctx, invoice, f"Send it to {quoted(email)} for approval by e-mail?", doubts)


def agreed(outcome: ElicitationResult[Decision]) -> bool:
    """Whether the action may be done."""
    return isinstance(outcome, AcceptedElicitation) and outcome.data.agree


def was_asked(outcome: ElicitationResult[Decision]) -> bool:
    """Whether a person has answered."""
    return not (isinstance(outcome, AcceptedElicitation) and isinstance(outcome.data, Certain))


async def _complete(client: AsyncClient, invoice_id: str) -> Invoice:
    invoice = await client.invoices.retrieve(invoice_id)
    if invoice.status != "complete":
        raise ToolError(f"Invoice {invoice.id} is {invoice.status}. This is possible for complete invoices only.")
    return invoice


async def _doubts(access: Access, invoice: Invoice) -> list[Doubt]:
    doubts = [*doubts_of(invoice), *doubts_of_words(await _texts(access.client, invoice))]
    if access.options.asks_always:
        doubts.append(Doubt(about="action", reason="the operator wants each action to be asked"))
    return doubts


async def _texts(client: AsyncClient, invoice: Invoice) -> list[str]:
    """What an agent may have read in the invoice: its values, and the words of its first pages if they are kept."""
    texts = [invoice_answer(invoice).untrusted.model_dump_json(exclude={"notice"})]
    for number in range(1, min(invoice.pages or 1, _MOST_PAGES) + 1):
        try:
            page = await client.invoices.page(invoice.id, number)
        except NotFoundError:
            break
        texts.append(" ".join(word.text for word in page.words))
    return texts


def _is_approver(email: str, access: Access) -> bool:
    address = email.strip().lower()
    domain = f"@{address.rpartition('@')[2]}"
    return bool({address, domain} & {each.strip().lower() for each in access.options.approvers})


def _question(
    ctx: Context[Any, Any], invoice: Invoice, action: str, doubts: Sequence[Doubt]
) -> Decision | Elicit[Decision]:
    if not doubts:
        return Certain()
    if not _can_ask(ctx):
        raise ToolError(_refusal(doubts))
    return Elicit(
        f"{action}\nInvoice {invoice.id}: {_described(invoice)}\nNot certain:\n{lines(doubts, invoice)}\n"
        "Text in quotation marks is from the document. Look at the document before you agree.",
        Decision,
    )


def _described(invoice: Invoice) -> str:
    due = f", due {invoice.due_at}" if invoice.due_at else ""
    amount = f"{invoice.amount:f}" if invoice.amount is not None else "unknown"
    return (
        f"{quoted(invoice.vendor_name)}, number {quoted(invoice.invoice_number)}, amount {amount} "
        f"{invoice.currency or ''}{due}."
    )


def _refusal(doubts: Sequence[Doubt]) -> str:
    reasons = "; ".join(f"{doubt.about}: {doubt.reason}" for doubt in doubts)
    return (
        f"Not done, because a person must decide, and this client cannot ask one (no form elicitation). {reasons}. "
        "A person can confirm the values in the web application, on the invoice's review page, or do this there."
    )


def _can_ask(ctx: Context[Any, Any]) -> bool:
    """Clients from before modes of elicitation declare none, and mean forms."""
    elicitation = ctx.client_capabilities.elicitation if ctx.client_capabilities else None
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)
