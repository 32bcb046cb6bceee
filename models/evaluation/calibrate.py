"""`invoices models calibrate DATA`: fit the calibration of confidence on documents with known truth.

Documents and readings are kept in a folder, so that another run after a change to the decoder takes seconds.
"""

import argparse
import json
import sys
import textwrap
from contextlib import closing
from pathlib import Path

from models.chosen import chosen_model
from models.evaluation.console import figures_console
from models.evaluation.crossvalidation import auto_verified, cross_validate_targets, fit_calibration, quality, shares
from models.evaluation.dataset import load_dataset
from models.evaluation.documents import DocumentCache
from models.evaluation.labelled_cases import case_of
from models.evaluation.observations import Observation, observe
from models.evaluation.page import fill_page
from models.evaluation.pictures import draw
from models.evaluation.readings import ReadingCache
from models.evaluation.trust import cost_grid, high_grid, level_grid, quality_grid, target_grid
from models.loading import EXTRACTOR, VERIFIER
from models.pipeline import Pipeline
from models.training.drawn import with_drawings
from models.training.real import few_of_each_issuer, read_real
from serve_app.documents.isolation.supervisor import Supervisor
from serve_app.domain.clock import utc_now
from serve_app.domain.errors import DocumentError
from serve_app.domain.target_precision import TargetPrecision
from serve_app.extraction.confidence.calibration import UNFITTED, Calibration, FittedOn
from serve_app.extraction.confidence.calibrations import Calibrations
from serve_app.extraction.sections import extract_sections
from serve_app.reconciling.calibrations import BUNDLED
from serve_app.settings.reading import read_settings

FOLDS = 10
# More labelled documents of one issuer add little.
OF_ISSUER = 15
CACHE = Path("build/evaluation")


def main() -> None:
    """Fit, write the calibration, and print how well it does on documents it was not fitted on."""
    arguments = _arguments()
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    pipeline = Pipeline(
        chosen_model(arguments.extractor, EXTRACTOR), chosen_model(arguments.verifier, VERIFIER), Calibrations(UNFITTED)
    )
    observed = [observation for folder in arguments.data for observation in collect(folder, arguments.cache, pipeline)]
    observed += [value for folder in arguments.real for value in collect_labelled(folder, arguments.cache, pipeline)]
    observed, disputed = without_disputed(observed, arguments.disputed)
    by_target = cross_validate_targets(observed, FOLDS)
    judged = by_target[TargetPrecision.STANDARD]
    given = [observation for observation in observed if observation.support is not None]
    folders = ", ".join(folder.name for folder in [*arguments.data, *arguments.real])
    source = FittedOn(
        name=arguments.name or folders,
        documents=len({observation.case for observation in observed}),
        values=len(given),
        right=sum(observation.is_right for observation in given),
    )
    calibration = fit_calibration(observed, FOLDS).bound_to(*pipeline.models)
    calibration = calibration.model_copy(
        update={
            "fitted_at": f"{utc_now():%Y-%m-%d}",
            "sources": (source,),
            "cross_validated": quality(judged, FOLDS),
            "shares": shares(judged),
        }
    )
    arguments.out.write_text(calibration.model_dump_json(indent=1) + "\n")
    source_line = f"{source.values} values of {source.documents} documents, {source.right} of them right"
    sys.stdout.write(f"{source_line}\n{calibration.cross_validated}\n")
    verified, right, complete = auto_verified(judged)
    sys.stdout.write(f"auto_verified: {verified} of {complete} documents with all values judged, {right} right\n")
    grids = high_grid(judged), level_grid(judged), cost_grid(judged), quality_grid(judged)
    tables = [*grids, target_grid(by_target, calibration)]
    for table in tables:
        figures_console().print(table.rich())
    if arguments.page:
        fill_page(arguments.page, _head(calibration, disputed), tables)
        draw(judged, arguments.page.parent / "pictures", "cross-validated: judged without its own source")


def _head(calibration: Calibration, disputed: int) -> str:
    (source,) = calibration.sources
    why = "their published truth contradicts the page, or is one of two names of a party"
    left_out = f" {disputed} values are left out: {why}." if disputed else ""
    text = (
        f"Fitted on {calibration.fitted_at} to {source.values} values of {source.documents} documents "
        f"({source.name}), for `{calibration.extractor}` and `{calibration.verifier}`.{left_out}"
    )
    return textwrap.fill(text, 120, break_on_hyphens=False)


def without_disputed(observed: list[Observation], file: Path | None) -> tuple[list[Observation], int]:
    """The values but for those that the file lists, and how many those are."""
    listed: dict[str, list[str]] = json.loads(file.read_text()) if file else {}
    kept = [value for value in observed if value.kind not in listed.get(value.case, ())]
    return kept, len(observed) - len(kept)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="invoices models calibrate", description=__doc__)
    parser.add_argument("data", type=Path, nargs="*", help="folders with docs/ and truth/")
    real = "labelled documents (docs/how-to/train-models.md); only their validation split counts; repeatable"
    parser.add_argument("--real", type=Path, action="append", default=[], metavar="DIR", help=real)
    parser.add_argument("--out", type=Path, default=BUNDLED, help="the calibration's file")
    parser.add_argument("--name", help="name of these documents in the calibration (default: those of the folders)")
    parser.add_argument("--extractor", help="a checkpoint folder, or a JSON or YAML file of a model's user_config")
    parser.add_argument("--verifier", help="the same for the verifier")
    parser.add_argument("--page", type=Path, help="page whose tables are replaced; pictures go to pictures/ next to it")
    disputed = "a JSON file: for each document, by its name, the fields whose truth contradicts the page; not counted"
    parser.add_argument("--disputed", type=Path, metavar="FILE", help=disputed)
    parser.add_argument("--cache", type=Path, default=CACHE, help="documents and readings are kept here")
    return parser.parse_args()


def collect(folder: Path, cache: Path, pipeline: Pipeline) -> list[Observation]:
    """Every value that the models give for the documents of `folder`; raise DatasetError if it is not a dataset."""
    options = read_settings().read_options()
    readings = ReadingCache(cache / "readings", lambda: pipeline)
    observed: list[Observation] = []
    with closing(Supervisor(options)) as reader:
        documents = DocumentCache(cache / "documents", reader.read_next, options)
        for case in load_dataset(folder):
            try:
                data = case.path.read_bytes()
                document = pipeline.with_pictures(documents.read(data), data)
            except DocumentError:
                continue
            both = readings.readings(document)
            observed += observe(case, document, both, extract_sections(document, *both))
    return observed


def collect_labelled(folder: Path, cache: Path, pipeline: Pipeline) -> list[Observation]:
    """The same for the labelled documents of `folder` that no model was trained on; raise RealDataError when it is no
    such folder."""
    readings = ReadingCache(cache / "readings", lambda: pipeline)
    observed: list[Observation] = []
    for labelled in few_of_each_issuer(read_real(folder, "validation"), OF_ISSUER):
        document = with_drawings(labelled.document) if pipeline.needs_pictures else labelled.document
        both = readings.readings(document)
        observed += observe(case_of(labelled), document, both, extract_sections(document, *both))
    return observed


if __name__ == "__main__":
    main()
