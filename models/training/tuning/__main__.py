"""`invoices models tune`: fine-tune a checkpoint of any kind that runs here."""

import argparse
import sys
from functools import partial
from pathlib import Path

import torch

from models.checkpoint import find_checkpoint
from models.chosen import chosen_model
from models.config import Adapter, ModelConfig, ModelError
from models.evaluation.tracking import tracked
from models.loading import EXTRACTOR, load_model
from models.network import open_checkpoint
from models.registry.provenance import write_provenance
from models.training.drawn import drawn
from models.training.generator import Profile, generate_training, generate_validation
from models.training.inputs import data_of, labelled_inputs
from models.training.mixture import DEFAULT_SHARE, Mixture, RealShare
from models.training.provenance import provenance_of
from models.training.real import RealDataError
from models.training.tuning.files import write
from models.training.tuning.loop import fine_tune
from models.training.tuning.tasks import open_task
from models.training.validation import Scores, validate
from serve_app.domain.user_error import UserError

# Weights that were trained move slowly.
RATE = 5e-5
VALIDATION_DOCUMENTS = 40


def main() -> None:
    """Fine-tune a checkpoint on generated documents and on labelled ones, and write it with its `user_config`."""
    arguments = _arguments()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    try:
        config = _config(arguments.checkpoint, arguments.adapter)
        task = open_task(open_checkpoint(find_checkpoint(config)), config)
        with tracked("tune", vars(arguments)) as track:
            result = fine_tune(
                task,
                Mixture(partial(generate_training, profile=Profile.EXTRACTOR), arguments.real),
                documents=arguments.documents,
                minutes=arguments.minutes,
                rate=arguments.rate,
                first_seed=arguments.seed,
                report=_say,
                track=track,
            )
            track({"first loss": result.first_loss, "last loss": result.last_loss}, result.documents)
        _say(
            f"{result.documents:,} documents in {result.seconds:.0f} s, "
            f"loss {result.first_loss:.3f} at first, {result.last_loss:.3f} at last"
        )
        written = write(task, config.adapter, arguments.out.name, arguments.out)
        scores = f1(chosen_model(str(written), EXTRACTOR))
        data = data_of(Profile.EXTRACTOR, [labelled_inputs(each) for each in arguments.real])
        known = provenance_of(arguments.out, data, result.documents, result.seconds)
        write_provenance(arguments.out, known.model_copy(update={"metrics": {"f1": round(scores.overall, 4)}}))
    except (UserError, RealDataError) as error:
        sys.exit(str(error))
    _say(f"F1 on held-out families {scores.overall:.3f}; written: {written}")


def f1(config: ModelConfig, documents: int = VALIDATION_DOCUMENTS) -> Scores:
    """How well a model labels words of layout families that are never trained on."""
    model = load_model(config)
    generate = drawn(generate_validation) if model.needs_pictures else generate_validation
    return validate(model, [generate(seed) for seed in range(documents)])


def _config(checkpoint: str, adapter: str | None) -> ModelConfig:
    if adapter is None:
        return chosen_model(checkpoint, EXTRACTOR)
    folder = Path(checkpoint)
    config = ModelConfig(adapter=Adapter(adapter), checkpoint=str(folder.absolute()) if folder.is_dir() else checkpoint)
    if config.adapter is Adapter.CHAT:
        raise ModelError("a model behind a server is trained where it runs")
    return config


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="invoices models tune", description=main.__doc__)
    add = parser.add_argument
    add("checkpoint", help="a folder, a name on the hub, or a file with a user_config")
    kinds = [adapter.value for adapter in Adapter if adapter is not Adapter.CHAT]
    add("--adapter", choices=kinds, help="the kind of model, unless a file says it")
    add("--out", type=Path, required=True, metavar="DIR", help="where the fine-tuned checkpoint is written")
    add("--documents", type=int, default=2000, help="number of documents to train on (default: %(default)s)")
    add("--minutes", type=float, help="stop after this many minutes")
    real = f"a folder of labelled documents and their share in training (default: {DEFAULT_SHARE}); repeatable"
    add("--real", type=RealShare.parse, action="append", default=[], metavar="DIR[:SHARE]", help=real)
    add("--rate", type=float, default=RATE, help="learning rate; random weights take 5e-4 (default: %(default)s)")
    add("--threads", type=int, default=1, help="CPU threads (default: %(default)s)")
    add("--seed", type=int, default=0, help="of the first document (default: %(default)s)")
    return parser.parse_args()


def _say(message: str) -> None:
    sys.stdout.write(message + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
