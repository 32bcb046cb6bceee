"""`invoices models list`, `show`, `fetch`, `promote` and `rollback`."""

import shutil
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from models.chosen import chosen_model
from models.config import EXTRACTOR, VERIFIER, ModelConfig, ModelError
from models.gate.required_verdict import check_passed
from models.registry.calibrated import calibration_line, checked_calibration
from models.registry.card import card
from models.registry.content import PROVENANCE
from models.registry.history import Event, What
from models.registry.provenance import Provenance, read_provenance
from models.registry.reference import HUB_ID, parse
from models.registry.registry import Registry, Version
from models.registry.resolve import registry_folder
from models.registry.sources import S3, check_loadable, check_source, fetch
from serve_app.domain.clock import utc_now
from serve_app.domain.suggestions import nearest_path, suggestion

_SHORT = 12
# What is told of the version that came back.
_WORDS = {What.ROLLED_BACK: "made current again"}


@dataclass(frozen=True, slots=True)
class VersionRequest:
    """What to fetch, and what is known of it; `invoices models fetch --help` explains each."""

    source: str
    place: str
    name: str
    licence: str | None = None
    calibration: Path | None = None


def show_all() -> None:
    """A line for each version of each model."""
    registry = _registry()
    names = registry.names()
    if not names:
        _say(f"{registry_folder()}: no versions yet; `invoices models fetch` adds them")
    for name in names:
        promoted = registry.history(name).promoted()[-1:]
        for version in registry.versions(name):
            known = version.provenance
            added = f"{known.fetched_at:%Y-%m-%d}" if known.fetched_at else "-"
            mark = "promoted" if version.hash in promoted else "-"
            f1 = f"{known.metrics['f1']:.3f}" if "f1" in known.metrics else "-"
            columns = f"{name}@{version.hash[:_SHORT]}", added, f"{mark:8}", f"F1 {f1:5}", known.licence or "-"
            _say("  ".join([*columns, known.source or ""]).rstrip())


def show_one(name: str) -> None:
    """The provenance and the history of a model's versions, or of one of them (NAME@HASH)."""
    registry = _registry()
    request = parse(name) if "@" in name else None
    versions = [registry.find(request)] if request else registry.versions(name)
    if not versions:
        raise ModelError(f"the registry has no model {name}{suggestion(name, registry.names())}")
    events = registry.history(versions[0].name).events()
    for version in versions:
        _say(f"{version.name}@{version.hash}")
        known = version.provenance.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
        _say(_indented(known))
        for line in _lines([event for event in events if event.hash == version.hash]):
            _say(f"  {line}")


def write_card(reference: str, out: Path | None) -> None:
    """Print the model card of a version, or write it to a file."""
    registry = _registry()
    text = card(registry, registry.find(parse(reference)))
    if out is None:
        sys.stdout.write(text)
    else:
        out.write_text(text, encoding="utf-8")
        _say(f"written: {out}")


def fetch_version(request: VersionRequest) -> None:
    """Bring a checkpoint into the registry, and say what it is called there."""
    config = _config_of(request)
    check_source(config)
    registry = _registry()

    def fill(folder: Path) -> Provenance:
        source = fetch(config, folder)
        known = read_provenance(folder)
        (folder / PROVENANCE).unlink(missing_ok=True)
        here = config.model_copy(update={"checkpoint": str(folder), "revision": None})
        check_loadable(here, source)
        calibration = checked_calibration(request.calibration, here, request.place) if request.calibration else None
        return known.model_copy(update=_added(request, config, source, known, calibration))

    began = utc_now()
    version = registry.add(request.name, fill)
    registry.history(version.name).add(What.FETCHED, version.hash, request.source)
    _say(f"{version.name}@{version.hash}")
    if (version.provenance.fetched_at or began) < began:
        _say("The version already exists; its provenance is unchanged.")


def promote(reference: str, gate: Path | None, force: str | None) -> None:
    """Make a version the present one, and say what to deploy. Raises ModelError if its files were altered or cannot be
    loaded, and if it has not passed the gate, unless `force` says why that does not matter."""
    registry = _registry()
    version = registry.find(parse(reference))
    config = _model_of(version, checkpoint=str(registry.checked(version).absolute()))
    if force is None:
        if gate is None:
            raise ModelError("--gate needs the verdict of `invoices models check` (or use --force REASON)")
        check_passed(config.model_copy(update={"gate": gate}))
    check_loadable(config, version.reference)
    passed = gate if force is None else None
    registry.promote(version, f"without a passed gate: {force}" if force is not None else "gate passed", passed)
    _say_deployment(registry, version)


def roll_back(name: str, why: str) -> None:
    """Make the version promoted before the present one, and say what to deploy."""
    registry = _registry()
    _say_deployment(registry, registry.roll_back(name, why))


def _registry() -> Registry:
    return Registry(registry_folder())


def _config_of(request: VersionRequest) -> ModelConfig:
    default = EXTRACTOR if request.place == "extractor" else VERIFIER
    is_elsewhere = request.source.startswith(S3) or not Path(request.source).exists()
    if is_elsewhere:
        checkpoint, _, revision = request.source.partition("@")
        if not (checkpoint.startswith(S3) or HUB_ID.match(checkpoint)):
            raise ModelError(f"{request.source}: there is no such folder or file{nearest_path(Path(request.source))}")
        return default.model_copy(update={"checkpoint": checkpoint, "revision": revision or None})
    return chosen_model(request.source, default)


def _added(
    request: VersionRequest, config: ModelConfig, source: str, known: Provenance, calibration: dict[str, str] | None
) -> dict[str, Any]:
    """What fetching adds to what training has written."""
    beside = {"checkpoint", "revision", "device", "gate", "fallback", "licence"}
    return {
        "source": source,
        "fetched_at": utc_now(),
        "model": config.model_dump(mode="json", exclude=beside, exclude_defaults=True, exclude_none=True),
        "licence": request.licence or config.licence or known.licence,
        "calibration": calibration or known.calibration,
    }


def _model_of(version: Version, **more: Any) -> ModelConfig:
    return ModelConfig.model_validate({**version.provenance.model, **more})


def _say_deployment(registry: Registry, version: Version) -> None:
    content = {**version.provenance.model, "checkpoint": version.reference}
    gate = registry.gate_file(version)
    if gate.is_file():
        content["gate"] = str(gate.absolute())
    _say(f"promoted: {version.name}@{version.hash[:_SHORT]}")
    _say(calibration_line(_model_of(version, checkpoint=str(version.folder.absolute())), version.provenance))
    _say("Deploy it with")
    _say(_indented({"user_config": content}))


def _lines(events: list[Event]) -> list[str]:
    """A line for each event; loads of one replica's deployment are counted."""
    lines = [
        f"{event.at:%Y-%m-%d %H:%M} {_WORDS.get(event.what, event.what)} by {event.by} {event.note}".rstrip()
        for event in events
    ]
    loads = Counter(event.by for event in events if event.what is What.LOADED)
    last = {event.by: event.at for event in events if event.what is What.LOADED}
    rest = [line for event, line in zip(events, lines, strict=True) if event.what is not What.LOADED]
    return rest + [f"loaded {count} times by {by}, last {last[by]:%Y-%m-%d %H:%M}" for by, count in loads.items()]


def _indented(content: dict[str, Any]) -> str:
    text = yaml.safe_dump(content, sort_keys=False, width=shutil.get_terminal_size().columns)
    return "\n".join(f"  {line}" for line in text.splitlines())


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
