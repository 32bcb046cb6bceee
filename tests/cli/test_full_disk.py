"""A command that meets a full disk says so in one line, and leaves nothing half done."""

import subprocess
import sys
from pathlib import Path

from tests.cli.command_line import run

_LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
sys.argv = ["invoices", *sys.argv[2:]]
from serve_app.commands.cli import main
main()
"""


def limited(most_bytes: int, *arguments: str) -> str:
    """The last line of stderr of a command that can write no file longer than this."""
    command = [sys.executable, "-c", _LIMITED, str(most_bytes), *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr.splitlines()[-1]


def test_a_restore_that_finds_the_disk_full_is_one_line_and_can_be_repeated(folder: Path, account: str) -> None:
    run("backup", "copies")
    (folder / "data").rename(folder / "lost")
    assert limited(20_000, "restore", "copies") == "invoices: File too large"
    assert {found.name for found in (folder / "data").iterdir()} == {".service.lock", "files", "mail"}
    assert "restored: the database" in run("restore", "copies")
    assert run("verify") == "no differences in 1 accounts\n"


def test_a_backup_of_a_database_that_has_no_room_for_its_copy_is_one_line(folder: Path, account: str) -> None:
    line = limited(200_000, "backup", "copies")
    assert line == f"invoices: the database cannot be copied in the folder {folder}/data (disk I/O error)"
    assert not list((folder / "data").glob(".backup-*"))


def test_output_that_cannot_be_written_is_one_line(folder: Path) -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-c", "from serve_app.commands.cli import main; main()", "account", "create"]
        done = subprocess.run(command, check=False, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (1, "invoices: No space left on device\n")
