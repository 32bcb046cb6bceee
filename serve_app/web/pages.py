"""Renders pages and parts of pages."""

from functools import cache, lru_cache
from typing import Any
from urllib.parse import quote, unquote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse

from serve_app.web.formats import formats_of
from serve_app.web.icons import icon_names
from serve_app.web.static import static_path
from serve_app.web.visitor import OperatorAlone, Visitor

_NOTICE = "__Host-notice"
_NOTICE_SECONDS = 60
_MAX_NOTICE_LENGTH = 300


def page(
    request: Request, visitor: Visitor | OperatorAlone | None, template: str, status: int = 200, **context: object
) -> HTMLResponse:
    """The page made of a template, named by its path below `serve_app/web`, with the notice that `redirect` left."""
    notice = unquote(request.cookies.get(_NOTICE, ""))[:_MAX_NOTICE_LENGTH]
    values = _shared(request, visitor) | {"notice": notice} | context
    response = HTMLResponse(_environment().get_template(template).render(values), status)
    if notice:
        response.delete_cookie(_NOTICE, path="/", secure=True, httponly=True, samesite="lax")
    return response


def fragment(
    request: Request, visitor: Visitor | None, template: str, block: str, status: int = 200, **context: object
) -> HTMLResponse:
    """One block of a template, for htmx to put into a page that is shown already. Raises KeyError if the template has
    no such block."""
    source = _environment().get_template(template)
    values = source.new_context(_shared(request, visitor) | {"notice": ""} | context)
    return HTMLResponse("".join(source.blocks[block](values)), status)


def wants_fragment(request: Request) -> bool:
    """Whether htmx asks for a part of a page, rather than the browser for a page."""
    return request.headers.get("hx-request") == "true" and "hx-history-restore-request" not in request.headers


def redirect(path: str, notice: str = "") -> RedirectResponse:
    """The answer to a form: shows `path` next, with `notice` at its top, once."""
    response = RedirectResponse(path, 303)
    if notice:
        text = quote(notice[:_MAX_NOTICE_LENGTH])
        response.set_cookie(_NOTICE, text, _NOTICE_SECONDS, path="/", secure=True, httponly=True, samesite="lax")
    return response


def _shared(request: Request, visitor: Visitor | OperatorAlone | None) -> dict[str, Any]:
    """What every template can use."""
    formats = formats_of(request.headers.get("accept-language", ""))
    return {"request": request, "visitor": visitor, "formats": formats, "here": request.url.path}


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("serve_app.web", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # Templates change with the service only: nobody needs them looked at again for every page.
        auto_reload=False,
    )
    environment.globals |= {"static": static_path, "icon": icon}
    # Imported once, because a block that is rendered alone does not run the imports of its template.
    environment.globals["ui"] = environment.get_template("shell/parts.html").module
    environment.globals["state"] = state
    return environment


@cache
def icon(name: str) -> Markup:
    """An icon that stands beside a text. Raises KeyError if there is no such icon."""
    if name not in icon_names():
        raise KeyError(name)
    address = static_path("icons.svg")
    return Markup('<svg class="icon" aria-hidden="true"><use href="{}#{}"></use></svg>').format(address, name)


@lru_cache(maxsize=1000)
def state(word: str, tone: str = "quiet", picture: str = "") -> Markup:
    """The same as `ui.state`, for long lists: there are few states, so each is usually made once."""
    shown = icon(picture) if picture else ""
    return Markup('<span class="state {}">{}{}</span>').format(tone, shown, word)
