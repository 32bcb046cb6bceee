"""Quality: what the levels of confidence are worth on the account's own invoices."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from serve_app.domain.errors import InvalidParameter
from serve_app.domain.invoice import Field
from serve_app.services.review.quality_answer import quality_answer, quality_csv, time_csv
from serve_app.web.api_calls import curl_of
from serve_app.web.formats import formats_of
from serve_app.web.pages import page, redirect
from serve_app.web.quality.targets import target_table
from serve_app.web.quality.view import view_of
from serve_app.web.visitor import AnyServices, AnyVisitor, Owner

router = APIRouter(prefix="/quality")


@router.get("")
async def show_quality(request: Request, services: AnyServices, visitor: AnyVisitor) -> Response:
    """How often each level was right, by what people have decided."""
    quality, target = await services.quality.measure(visitor.account.id), services.targets.of(visitor.account)
    view = view_of(quality_answer(quality, target), formats := formats_of(request.headers.get("accept-language", "")))
    targets = target_table(await services.target_comparison.compare(quality), target, formats)
    call = curl_of(request, services.settings, "/v1/quality")
    return page(request, visitor, "quality/quality.html", view=view, targets=targets, call=call)


@router.get("/table.csv")
async def download_table(services: AnyServices, visitor: AnyVisitor) -> Response:
    """The same as a table."""
    return _csv_file("quality.csv", quality_csv(await services.quality.measure(visitor.account.id)))


@router.get("/time.csv")
async def download_time(services: AnyServices, visitor: AnyVisitor) -> Response:
    """The time that was saved, as a table."""
    return _csv_file("time.csv", time_csv(await services.quality.measure(visitor.account.id)))


def _csv_file(name: str, table: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(table, media_type="text/csv; charset=utf-8", headers=headers)


@router.post("/reset")
async def reset_threshold(request: Request, services: AnyServices, visitor: Owner) -> Response:
    """Return the threshold of a field to that of the calibration."""
    form = await request.form()
    name = str(form.get("field", ""))
    if name not in set(Field):
        raise InvalidParameter("There is no such field.")
    done = await services.quality.reset(visitor.account.id, Field(name), visitor.actor)
    return redirect(
        "/app/quality", "The threshold was reset to its calibrated value." if done else "The threshold was not raised."
    )
