"""Builds what takes mail by SMTP and LMTP."""

from serve_app.domain.inbound_mail import Way
from serve_app.mail.listener.certificate import Certificate
from serve_app.mail.listener.guests import Guests
from serve_app.mail.listener.server import Greeting, MailListener, Place, place_in
from serve_app.net.addresses import Access, parse_networks
from serve_app.services.mailroom.reception import Reception
from serve_app.settings import Settings


def build_mail_listener(reception: Reception, settings: Settings) -> MailListener:
    """What takes mail by SMTP and LMTP; build it on the event loop that will run it. Raises UserError if the
    certificate cannot be used."""
    networks = Access(parse_networks(settings.trusted_mail_networks), to_public=False)
    certificate = None
    if settings.mail_tls_certificate is not None:
        key = settings.mail_tls_key or settings.mail_tls_certificate
        certificate = Certificate(settings.mail_tls_certificate, key)
    greeting = Greeting(settings.mail_hostname or settings.mail_domain, certificate, settings.mail_behind_proxy)
    return MailListener(reception, Guests(settings.mail_connections, settings.mails_per_peer, networks), greeting)


def mail_places(settings: Settings) -> list[Place]:
    """Where mail is taken. Raises UserError if a setting names no place."""
    given = ((settings.mail_smtp, Way.SMTP), (settings.mail_lmtp, Way.LMTP))
    return [place_in(text, way) for text, way in given if text]
