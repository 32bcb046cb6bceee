"""Programs that train and measure are commands like all others."""

import sys
from importlib import import_module
from importlib.util import find_spec
from types import SimpleNamespace

import pytest

from serve_app.commands import cli, training
from serve_app.commands.training import DATA_PROGRAMS, MODEL_PROGRAMS
from tests.cli.command_line import run

COMMANDS = [
    "models train",
    "models tune",
    "models lora",
    "models calibrate",
    "models rank",
    "models split",
    "models curves",
    "models volume",
    "models sizes",
    "models details",
    "models batches",
    "data generate",
    "data templates",
    "data words",
    "data annotated",
    "data misreadings",
    "data sheet",
    "data samples",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_program_gets_its_options_and_its_name(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []
    program = SimpleNamespace(main=lambda: seen.append([*sys.argv]))
    monkeypatch.setattr(training, "import_evaluation", lambda module: program)
    before = [*sys.argv]
    run(*command.split(), "DIR", "--real", "ours:0.3", "--help")
    assert seen == [[f"invoices {command}", "DIR", "--real", "ours:0.3", "--help"]]
    assert sys.argv == before


def test_each_program_is_there_and_in_the_list() -> None:
    programs = [*MODEL_PROGRAMS.items(), *DATA_PROGRAMS.items()]
    assert [command.split()[1] for command in COMMANDS] == [name for name, _ in programs]
    assert all(find_spec(module) for _, (module, _) in programs)


def test_help_is_that_of_the_program(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["invoices"])
    output = run("data", "generate", "--help")
    assert output.startswith("usage: invoices data generate")
    assert "--layouts" in output


def test_a_missing_package_is_one_line_that_says_how_to_install_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = SimpleNamespace(main=lambda: import_module("faker"))
    monkeypatch.setattr(training, "import_evaluation", lambda module: program)
    monkeypatch.setitem(sys.modules, "faker", None)
    monkeypatch.setattr(sys, "argv", ["invoices", "data", "generate", "out"])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 1
    assert "scripts/setup.sh train installs" in capsys.readouterr().err
