"""What a training run is trained with: a run in a folder goes on only with the same."""

import json
from hashlib import file_digest, sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from models.registry.content import content_hash
from models.training.mixture import RealShare
from models.training.plan import TrainingPlan
from models.training.provenance import generator_version
from models.training.real import real_files
from serve_app.domain.user_error import UserError

if TYPE_CHECKING:
    from models.training.run import Options

_FILE = "inputs.json"
_GO_ON = "Name another folder (--runs), or delete this one."
Inputs = dict[str, Any]
"""What decides what is learned, by the words in which a refusal names it."""


class OtherInputs(UserError):
    """A run in a folder that was begun with other inputs; the message says which, and how to go on."""


def inputs_of(plan: TrainingPlan, options: "Options") -> Inputs:
    """The inputs of a run: data and start weights by their content. The number of documents and limits of time are none
    of them, so that a run may go on for longer. Raises UserError if there are no start weights in their folder."""
    return {
        "model": plan.name,
        "plan": _plan(plan),
        "seed": plan.first_seed,
        "generator": generator_version(),
        "start weights": weights_hash(options.start / plan.name) if options.start else None,
        "labelled documents": [labelled_inputs(each) for each in options.real],
        "rate": options.rate,
        "warm-up": options.warm_up,
        "dropout": options.dropout,
        "echo": options.echo,
    }


def check_inputs(folder: Path, inputs: Inputs) -> bool:
    """Whether a run in this folder was begun. Raises OtherInputs if that was with other inputs, or if it is not known
    with which."""
    path = folder / _FILE
    if not path.exists():
        if (folder / "state.pt").exists():
            raise OtherInputs(f"{folder} holds a run that did not note what it was trained with. {_GO_ON}")
        return False
    begun: Inputs = json.loads(path.read_text(encoding="utf-8"))
    names = [name for name in {**begun, **inputs} if begun.get(name) != inputs.get(name)]
    if names:
        raise OtherInputs(f"{folder} holds a run that was begun with other inputs ({', '.join(names)}). {_GO_ON}")
    return True


def note_inputs(folder: Path, inputs: Inputs) -> None:
    """Keep the inputs of a run in its folder."""
    (folder / _FILE).write_text(json.dumps(inputs, indent=1) + "\n", encoding="utf-8")


def data_of(profile: str, labelled: list[Inputs]) -> list[str]:
    """The documents of a training, as its provenance names them."""
    return [f"generated ({profile})", *(f"{each['name']} (sha256 {each['sha256']})" for each in labelled)]


def weights_hash(checkpoint: Path) -> str:
    """The SHA-256 of a checkpoint that training starts from. Raises UserError if there is none."""
    if not (checkpoint / "config.json").is_file():
        raise UserError(f"no model in {checkpoint}: config.json is missing")
    return content_hash(checkpoint)


def labelled_inputs(real: RealShare) -> Inputs:
    """Labelled documents and their share: the name of their folder, and their content's SHA-256."""
    whole = sha256()
    for path in real_files(real.folder):
        with path.open("rb") as file:
            whole.update(path.name.encode() + b"\0" + file_digest(file, "sha256").digest())
    return {"name": real.folder.name, "sha256": whole.hexdigest(), "share": real.share, "issuers": real.issuers}


def base_of(inputs: Inputs) -> str:
    """The weights that a run started from, as its provenance names them."""
    start = inputs["start weights"]
    return f"{inputs['model']} (sha256 {start})" if start else str(inputs["plan"]["base"])


def _plan(plan: TrainingPlan) -> Inputs:
    """The size of a network and what it sees; a base is a module, which is named without its place on this machine."""
    body = plan.body
    return {
        "adapter": str(plan.adapter),
        "profile": str(plan.profile),
        "base": getattr(body.base, "__name__", type(body.base).__name__).rpartition(".")[2],
        "layers": list(body.layers),
        "width": body.width,
        "positions": body.positions,
        "pretrained": body.pretrained,
    }
