"""What commands change, as their arguments."""

from pathlib import Path

from tests.cli.command_line import URL, run
from tests.cli.test_erase import submit
from tests.cli.test_exports import add_ready, add_schedule, odoo_file, run_schedule, template_file
from tests.cli.test_mail import held
from tests.cli.test_pins import LAST_DAY


class Scene:
    """What the commands change, made when it is first named."""

    def __init__(self, account: str, folder: Path, config: str) -> None:
        self.account, self.config = account, config
        (folder / "in").mkdir()
        (folder / "orders.csv").write_text("number,vendor,currency,quantity,unit_price\nPO-1,Norvik,EUR,1,2.50\n")

    def __getitem__(self, name: str) -> str:
        return str(getattr(self, name))

    @property
    def field(self) -> str:
        return f"{self.account} {run('field', 'add', self.account, 'Plate').strip()}"

    @property
    def key(self) -> str:
        return run("key", "create", self.account).split()[1]

    @property
    def copies(self) -> str:
        run("backup", "copies")
        return "copies"

    @property
    def pinned(self) -> str:
        run("account", "pin", self.account, "first", "--until", LAST_DAY)
        return self.account

    @property
    def operator_key(self) -> str:
        return run("operator", "key", "create").split()[1]

    @property
    def plan(self) -> str:
        run("account", "plans", "set", "trial", "--documents", "30")
        return "trial"

    @property
    def suspended(self) -> str:
        run("account", "suspend", self.account)
        return self.account

    @property
    def invoice(self) -> str:
        return str(submit(self.account)[0].invoice.id)

    @property
    def exportable(self) -> str:
        add_ready(self.account)
        return self.account

    @property
    def template(self) -> str:
        return template_file()

    @property
    def exported(self) -> str:
        invoice = add_ready(self.account)
        run("export", "create", self.account, "template", "--settings", template_file(), "--to", "in")
        return invoice

    @property
    def odoo(self) -> str:
        return odoo_file()

    @property
    def connected(self) -> str:
        run("export", "connect", self.account, "odoo", odoo_file())
        return self.account

    @property
    def schedule(self) -> str:
        return add_schedule(self.account)

    @property
    def delivered(self) -> str:
        add_ready(self.account)
        return run_schedule(self.account)

    @property
    def endpoint(self) -> str:
        return run("webhook", "register", self.account, URL).split()[1]

    @property
    def signing(self) -> str:
        endpoint = self.endpoint
        run("webhook", "add-key", self.account, endpoint)
        return endpoint

    @property
    def delivery(self) -> str:
        return run("webhook", "test", self.account, self.endpoint).split()[3]

    @property
    def sealed(self) -> str:
        """The kind of a key that was rotated."""
        assert self.endpoint
        run("keys", "rotate", "encryption")
        return "encryption"

    @property
    def key_file(self) -> str:
        """The kind of a key that is in its file."""
        assert self.endpoint
        return "encryption"

    @property
    def nothing(self) -> str:
        """No argument, but a key in its file."""
        assert self.endpoint
        return ""

    @property
    def person(self) -> str:
        run("user", "invite", "ann@example.com", "--account", self.account)
        run("user", "invite", "bob@example.com", "--account", self.account)
        return "bob@example.com"

    @property
    def address(self) -> str:
        return run("mail", "address", self.account).split()[1]

    @property
    def mail(self) -> str:
        return str(held().id)

    @property
    def discarded(self) -> str:
        mail = self.mail
        run("mail", "discard", self.account, mail)
        return mail

    @property
    def folder(self) -> str:
        return run("folder", "add", "in").strip()

    @property
    def canary(self) -> str:
        run("models", "canary", "start", "new", "--config", self.config)
        return ""
