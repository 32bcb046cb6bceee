"""Whether mail can be sent is asked of the server now and then."""

import pytest

from serve_app.services.ports import MailError
from serve_app.services.upkeep.mail_check import BAD_FOR, GOOD_FOR, MailCheck


class Server:
    """A mail server that counts who signs in, and may refuse."""

    def __init__(self, *, refuses: bool) -> None:
        self.refuses = refuses
        self.signed_in = 0

    async def sign_in(self) -> None:
        self.signed_in += 1
        if self.refuses:
            raise MailError("refused")


@pytest.mark.parametrize(("refuses", "seconds"), [(False, GOOD_FOR), (True, BAD_FOR)])
async def test_the_server_is_asked_again_when_time_has_passed_however_the_clock_is_set(
    refuses: bool, seconds: float
) -> None:
    server, passed = Server(refuses=refuses), 0.0
    check = MailCheck(server, lambda: passed)
    problem = await check.problem()
    assert problem == ("refused" if refuses else None)
    passed = seconds - 1
    assert await check.problem() == problem
    assert server.signed_in == 1
    passed = seconds
    assert await check.problem() == problem
    assert server.signed_in == 2
