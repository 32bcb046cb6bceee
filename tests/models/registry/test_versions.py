"""Versions never change, appear as a whole or not at all, and are refused once they were altered."""

import os
import shutil
from pathlib import Path

import pytest

from models.config import Adapter, ModelConfig, ModelError
from models.gate.digest import digest_of
from models.registry.history import What
from models.registry.provenance import Provenance, read_provenance, write_provenance
from models.registry.reference import parse
from models.registry.registry import Registry, Version
from models.registry.resolve import note_loaded, resolved
from models.registry.sources import fetch
from tests.models.registry.conftest import Write


def added(registry: Registry, source: Path, name: str = "reader") -> Version:
    """The checkpoint of a folder as a version."""

    def fill(folder: Path) -> Provenance:
        fetch(named(str(source)), folder)
        return Provenance(licence="MIT")

    return registry.add(name, fill)


def named(checkpoint: str) -> ModelConfig:
    return ModelConfig(adapter=Adapter.LAYOUT_TOKENS, checkpoint=checkpoint)


def test_a_version_is_named_by_the_content_of_its_files_which_are_only_data(registry: Registry, write: Write) -> None:
    version = added(registry, write())
    assert sorted(path.name for path in version.folder.iterdir()) == [
        *("config.json", "model.safetensors", "provenance.json"),
    ]
    assert added(registry, write(name="again")) == version
    other = added(registry, write(b"other weights", "other"))
    assert [each.hash for each in registry.versions("reader")] == [version.hash, other.hash]
    assert registry.names() == ["reader"]
    assert version.provenance == Provenance(licence="MIT")


def test_what_fails_midway_leaves_nothing(registry: Registry, write: Write) -> None:
    def fill(folder: Path) -> Provenance:
        fetch(named(str(write())), folder)
        raise ModelError("the connection was lost")

    with pytest.raises(ModelError, match="connection"):
        registry.add("reader", fill)
    with pytest.raises(ModelError, match=r"config\.json is missing"):
        registry.add("reader", lambda folder: Provenance())
    assert registry.versions("reader") == []
    assert list(registry._home("reader").iterdir()) == []


def test_a_process_that_dies_midway_leaves_no_version_and_what_it_wrote_is_removed(
    registry: Registry, write: Write
) -> None:
    left = []

    def fill(folder: Path) -> Provenance:
        fetch(named(str(write())), folder)
        # What a process leaves that is killed here.
        assert registry.versions("reader") == []
        left.append(Path(shutil.copytree(folder, folder.with_name(".unfinished-of-another"))))
        return Provenance()

    registry.add("reader", fill)
    assert len(registry.versions("reader")) == 1
    added(registry, write(name="later"))
    # It may still be at work.
    assert left[0].exists()
    os.utime(left[0], (0, 0))
    added(registry, write(name="much later"))
    assert not left[0].exists()


@pytest.mark.parametrize("name", ["config.json", "model.safetensors"])
@pytest.mark.parametrize("change", ["altered", "removed", "added to"])
def test_an_altered_version_is_refused(registry: Registry, write: Write, name: str, change: str) -> None:
    version = added(registry, write())
    path = version.folder / name
    match change:
        case "altered":
            path.write_bytes(b"{}")
        case "removed":
            path.unlink()
        case "added to":
            (version.folder / "vocab.txt").write_text("more")
    with pytest.raises(ModelError, match="was changed or is incomplete"):
        resolved(named(version.reference))


def test_a_reference_becomes_the_folder_and_a_name_for_results(registry: Registry, write: Write) -> None:
    version = added(registry, write())
    found = resolved(named(f"registry://reader@{version.hash[:12]}"))
    assert (found.checkpoint, found.revision) == (str(version.folder), f"reader@{version.hash[:12]}")
    named_itself = write(name="named")
    (named_itself / "config.json").write_text('{"model_type": "bert", "revision": "mine-1"}')
    # The calibration of its pair is found by the name that the checkpoint gives itself.
    assert resolved(named(added(registry, named_itself).reference)).revision is None
    assert resolved(named("extractor")) == named("extractor")


@pytest.mark.parametrize(
    ("reference", "reason"),
    [
        ("registry://reader", "first 12 digits"),
        ("registry://reader@abc", "first 12 digits"),
        ("registry://../etc@0123456789ab", "not a model name"),
        ("registry://reader@0123456789ab", "no version"),
    ],
)
def test_what_names_no_version_is_refused(registry: Registry, write: Write, reference: str, reason: str) -> None:
    added(registry, write())
    with pytest.raises(ModelError, match=reason):
        resolved(named(reference))


def test_the_present_version_is_the_last_one_promoted_and_not_rolled_back(registry: Registry, write: Write) -> None:
    first, second = added(registry, write(b"1", "1")), added(registry, write(b"2", "2"))
    history = registry.history("reader")
    with pytest.raises(ModelError, match="no version of reader was promoted before"):
        registry.roll_back("reader", "")
    # Promoting the present one again changes nothing.
    for version in (first, second, first, first):
        registry.promote(version, "", None)
    assert history.promoted()[-1] == first.hash
    assert registry.roll_back("reader", "worse") == second
    assert registry.roll_back("reader", "worse still") == first
    assert history.promoted() == [first.hash]
    assert [(event.what, event.note) for event in history.events()[-2:]] == [
        *((What.ROLLED_BACK, "worse"), (What.ROLLED_BACK, "worse still")),
    ]


@pytest.mark.parametrize("content", ["{", "[]", "\ufeff{"])
def test_a_checkpoint_with_a_damaged_configuration_is_refused(registry: Registry, write: Write, content: str) -> None:
    source = write()
    (source / "config.json").write_text(content)
    with pytest.raises(ModelError, match=r"config\.json is not a JSON object"):
        added(registry, source)
    assert registry.versions("reader") == []


def test_a_replica_notes_what_it_loads_and_a_registry_that_is_only_read_does_not_stop_it(
    registry: Registry, folder: Path, write: Write, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    version = added(registry, write())
    note_loaded(named(version.reference), folder, "Extractor")
    note_loaded(named("extractor"), folder, "Extractor")
    (event,) = registry.history("reader").events()
    assert (event.what, event.hash, event.by) == (What.LOADED, version.hash, "Extractor")

    def refuse(*_: object) -> int:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("models.registry.history.os.open", refuse)
    note_loaded(named(version.reference), folder, "Extractor")
    assert "Read-only" in caplog.text


def test_a_damaged_history_or_provenance_is_reported(registry: Registry, folder: Path, write: Write) -> None:
    version = added(registry, write())
    (folder / "reader" / "history.jsonl").write_text('{"at": 1}\n')
    with pytest.raises(ModelError, match="line 1"):
        registry.history("reader").promoted()
    (version.folder / "provenance.json").write_text("{")
    with pytest.raises(ModelError, match="cannot be read"):
        version.provenance  # noqa: B018 - what raises


def test_provenance_is_no_part_of_what_the_gate_judges(write: Write) -> None:
    folder = write()
    before = digest_of(named(str(folder)))
    write_provenance(folder, Provenance(data=["generated"], hours=1.5, metrics={"f1": 0.9}))
    assert read_provenance(folder).hours == 1.5
    assert digest_of(named(str(folder))) == before


def test_a_reference_may_leave_out_how_it_begins() -> None:
    assert parse("reader@0123456789ab") == parse("registry://reader@0123456789ab")
