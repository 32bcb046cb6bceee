"""`invoices render`: descriptions of a deployment for other platforms, made from the Serve configuration."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
import yaml

from serve_app.commands.errors import CommandError
from serve_app.commands.terminal import say

if TYPE_CHECKING:
    from serve_app.manifests.values import Values

render_app = typer.Typer(no_args_is_help=True, help="Descriptions of a deployment for other platforms.")


@render_app.callback()
def about() -> None:
    """A command of its own name, although it is the only one."""


@render_app.command()
def kubernetes(
    values: Annotated[
        Path,
        typer.Option(metavar="FILE", help="Values that differ from the defaults, see deploy/kubernetes/values.yaml."),
    ],
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Serve configuration (default: config/serve.yaml).")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write to this file instead of the terminal.")
    ] = None,
) -> None:
    """Print the Kubernetes objects of a KubeRay deployment for `kubectl apply`."""
    from serve_app.commands.local_graph import DEFAULT_CONFIG, read_graph
    from serve_app.manifests.kubernetes import kubernetes_text

    text = kubernetes_text(_read(values), read_graph(config or DEFAULT_CONFIG))
    if out is None:
        typer.echo(text, nl=False)
    else:
        out.write_text(text, encoding="utf-8")
        say(f"Written to {out}.")


def _read(path: Path) -> "Values":
    from pydantic import ValidationError

    from serve_app.manifests.values import Values

    try:
        return Values.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise CommandError(f"{path}: not YAML ({' '.join(str(error).split())})") from error
    except ValidationError as error:
        problems = (f"{'.'.join(map(str, each['loc'])) or 'values'}: {each['msg']}" for each in error.errors())
        raise CommandError(f"{path}: {'; '.join(problems)}") from error
