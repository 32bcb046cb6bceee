"""Own fields on the command line."""

from tests.cli.command_line import UNKNOWN, Fails, run


def test_fields_are_added_listed_and_removed(account: str, fails: Fails) -> None:
    assert run("field", "add", account, "Delivery date", "--type", "date", "--required") == "delivery_date\n"
    choices = ("--scope", "line", "--type", "choice", "--choice", "small", "--choice", "large")
    assert run("field", "add", account, "How large?", "--name", "size", *choices) == "size\n"
    listed = "delivery_date  header  date  required  Delivery date\nsize  line  choice  optional  How large?\n"
    assert run("field", "list", account) == listed
    assert "at most" not in fails("field", "add", account, "Size", "--name", "size")
    assert run("field", "remove", account, "size") == "removed size\n"
    assert "no own field" in fails("field", "remove", account, "size")
    assert "enter a name" in fails("field", "add", account, "日")
    assert "there is no account" in fails("field", "add", UNKNOWN, "Plate")
