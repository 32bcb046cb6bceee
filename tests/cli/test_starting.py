"""A busy machine delays the start of the service, and neither ends it nor hides what it waits for."""

import time

import pytest

from serve_app.commands.errors import CommandError
from serve_app.commands.start_retries import ATTEMPTS, logs_folder, notices, start_with_retries


class Start:
    """Fails `failures` times with what Ray raises on a busy machine, then succeeds."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.attempts = 0
        self.cleaned_up = 0

    def __call__(self) -> None:
        self.attempts += 1
        if self.attempts <= self.failures:
            raise Exception("The current node timed out during startup.\nThis could happen because ...")

    def clean_up(self) -> None:
        self.cleaned_up += 1


def test_what_ray_gives_up_is_tried_again(capsys: pytest.CaptureFixture[str]) -> None:
    start = Start(failures=ATTEMPTS - 1)
    start_with_retries("Ray", start, start.clean_up)
    assert (start.attempts, start.cleaned_up) == (ATTEMPTS, ATTEMPTS - 1)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == ATTEMPTS - 1
    assert "Ray did not start: The current node timed out during startup. (load " in lines[0]


def test_the_last_attempt_ends_in_one_line_with_the_reason() -> None:
    start = Start(failures=ATTEMPTS)
    with pytest.raises(CommandError) as caught:
        start_with_retries("Ray", start, start.clean_up)
    assert start.cleaned_up == ATTEMPTS
    message = str(caught.value)
    assert "Ray did not start in 3 attempts: The current node timed out during startup. (load " in message
    assert "\n" not in message


def test_a_person_who_interrupts_the_start_ends_it() -> None:
    def start() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        start_with_retries("Ray", start, lambda: None)


def test_the_start_says_regularly_what_it_waits_for(capsys: pytest.CaptureFixture[str]) -> None:
    with notices(lambda: "extractor, verifier", every_s=0.01):
        time.sleep(0.2)
    assert "still waiting for extractor, verifier after 0 s (load " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({}, "/tmp"),  # noqa: S108 - Ray's default
        ({"TMPDIR": "/scratch"}, "/scratch"),
        ({"TMPDIR": "/scratch", "RAY_TMPDIR": "/own"}, "/own"),
    ],
)
def test_the_folder_of_the_logs_is_the_one_that_ray_uses(
    environment: dict[str, str], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("RAY_TMPDIR", "TMPDIR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert logs_folder() == f"{folder}/ray/session_latest/logs"
