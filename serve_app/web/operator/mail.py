"""Whether mail reaches the deployment."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse

from serve_app.web.pages import page
from serve_app.web.visitor import AnyServices, Operator

router = APIRouter()


@router.get("/operator/mail")
async def check_mail(request: Request, services: AnyServices, visitor: Operator) -> HTMLResponse:
    """Checks of the mail domain; asks name servers and mail servers, so it takes some seconds."""
    settings = services.settings
    ways = {
        "SMTP": settings.mail_smtp,
        "LMTP": settings.mail_lmtp,
        "HTTP": "by providers" if settings.mail_http_secret or settings.mailgun_signing_key else "",
        "IMAP": "out of mailboxes" if settings.imap_url or settings.imap_file else "",
    }
    found = await services.mailroom.reach()
    return page(
        request,
        visitor,
        "operator/mail.html",
        domain=settings.mail_domain,
        found=found,
        ways=ways,
        has_server=services.mail_check.has_server,
        sending=await services.mail_check.problem(),
        folder=settings.mail_folder,
    )
