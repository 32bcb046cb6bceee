"""The chart: what the account's invoices are booked on."""

from collections.abc import Mapping, Sequence

from fastapi import APIRouter
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from serve_app.coding.codes_file import CodesFile, decoded, parse_codes, previews_of
from serve_app.coding.starting_charts import STARTING_CHARTS, starting_chart
from serve_app.domain.chart import ACCOUNT, USUAL, Chart, CodingRule, Dimension
from serve_app.domain.errors import ChartChanged, InvalidParameter
from serve_app.domain.proof import Proof
from serve_app.web.api_calls import curl_of
from serve_app.web.pages import page, redirect
from serve_app.web.visitor import AnyServices, AnyVisitor, Owner, Visitor

router = APIRouter(prefix="/chart")

CHART = "/app/chart"
_SHOWN = 500
"""Codes of a dimension on the page; the API has them all."""


@router.get("")
async def show_chart(request: Request, services: AnyServices, visitor: AnyVisitor) -> HTMLResponse:
    """The codes of each dimension, and the rules."""
    return await _page(request, services, visitor)


@router.post("/import")
async def import_codes(request: Request, services: AnyServices, visitor: Owner) -> Response:
    """Show what a file would change, or change it if that was shown."""
    texts = await _texts_of(request)
    codes = _codes_in(texts)
    if codes.problems:
        return await _page(request, services, visitor, 422, problems=codes.problems)
    try:
        if "confirmed" not in texts:
            previews = previews_of(await services.charts.get(visitor.account.id), codes)
            return page(request, visitor, "chart/preview.html", previews=previews, texts=texts, usual=USUAL)
        replaces = "replaces" in texts
        await services.charts.import_codes(visitor.account.id, codes, visitor.actor, replaces=replaces)
    except (InvalidParameter, ChartChanged) as error:
        return await _page(request, services, visitor, 422, problems=[error.message])
    return redirect(CHART, "The codes were imported.")


@router.post("/dimensions/{key}/delete")
async def delete_dimension(services: AnyServices, visitor: Owner, key: str) -> Response:
    """Remove a dimension with its codes, and from the rules."""
    chart = await services.charts.get(visitor.account.id)
    rules = [rule.model_copy(update={"codes": _without(rule.codes, key)}) for rule in chart.rules]
    await _replace(services, visitor, chart, chart.without_dimension(key).dimensions, [r for r in rules if r.codes])
    return redirect(CHART, "The dimension was removed.")


@router.get("/dimensions/{key}/delete")
async def ask_to_delete(request: Request, services: AnyServices, visitor: Owner, key: str) -> Response:
    """The question whether it may be removed."""
    dimension = (await services.charts.get(visitor.account.id)).find(key)
    if dimension is None:
        return redirect(CHART, "There is no such dimension.")
    return page(request, visitor, "chart/delete.html", dimension=dimension)


@router.post("/rules")
async def add_rule(request: Request, services: AnyServices, visitor: Owner) -> Response:
    """Add a rule after the others."""
    form = await request.form()
    vendor, contains, dimension, code = (
        str(form.get(name, "")).strip() for name in ("vendor", "contains", "dimension", "code")
    )
    chart = await services.charts.get(visitor.account.id)
    rule = CodingRule(vendor=vendor or None, contains=contains or None, codes={dimension: code} if code else {})
    try:
        await _replace(services, visitor, chart, chart.dimensions, [*chart.rules, rule])
    except (InvalidParameter, ChartChanged) as error:
        return await _page(request, services, visitor, 422, rule_problem=error.message.partition(": ")[2])
    return redirect(CHART, "The rule was added.")


@router.post("/rules/{number}/delete")
async def delete_rule(services: AnyServices, visitor: Owner, number: int) -> Response:
    """Remove a rule; by its number, from 0."""
    chart = await services.charts.get(visitor.account.id)
    rules = [rule for index, rule in enumerate(chart.rules) if index != number]
    await _replace(services, visitor, chart, chart.dimensions, rules)
    return redirect(CHART, "The rule was removed.")


async def _texts_of(request: Request) -> dict[str, str]:
    """The fields of the form, and as `text` what the file says."""
    async with request.form() as form:
        texts = {name: value for name, value in form.items() if isinstance(value, str)}
        upload = form.get("file")
        if isinstance(upload, UploadFile) and upload.filename:
            texts["text"] = decoded(await upload.read())
    return texts


def _codes_in(texts: Mapping[str, str]) -> CodesFile:
    """Of a starting chart or of a file."""
    start = texts.get("start", "")
    if start in STARTING_CHARTS:
        return starting_chart(start)
    if not texts.get("text", "").strip():
        return CodesFile(problems=["Choose a file"])
    return parse_codes(texts["text"], texts.get("dimension", "").strip() or ACCOUNT)


def _without(codes: Mapping[str, str], key: str) -> dict[str, str]:
    return {name: code for name, code in codes.items() if name != key}


async def _replace(
    services: AnyServices,
    visitor: Visitor,
    chart: Chart,
    dimensions: Sequence[Dimension],
    rules: Sequence[CodingRule],
) -> None:
    await services.charts.replace(visitor.account.id, chart.revision, dimensions, rules, visitor.actor)


async def _proofs(services: AnyServices, visitor: Visitor) -> Mapping[str, Proof]:
    coder = await services.suggestions.coder(visitor.account.id, waits=True)
    return {} if coder is None else coder.proofs


async def _page(
    request: Request,
    services: AnyServices,
    visitor: Visitor,
    status: int = 200,
    *,
    problems: Sequence[str] = (),
    rule_problem: str = "",
) -> HTMLResponse:
    return page(
        request,
        visitor,
        "chart/chart.html",
        status,
        chart=await services.charts.get(visitor.account.id),
        starts=STARTING_CHARTS,
        usual=USUAL,
        shown=_SHOWN,
        proofs=await _proofs(services, visitor),
        problems=problems,
        rule_problem=rule_problem,
        call=curl_of(request, services.settings, "/v1/chart"),
    )
