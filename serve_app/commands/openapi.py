"""`invoices openapi`: the API's description, without a running service."""

from serve_app.commands.terminal import print_json


def openapi() -> None:
    """Print the OpenAPI document of the API."""
    from serve_app.api.app import create_api

    print_json(create_api().openapi(), pretty=True)
