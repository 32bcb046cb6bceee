"""What all resources of `/v1` have in common."""

from decimal import Decimal
from typing import Annotated

from pydantic import BaseModel, ConfigDict, PlainSerializer

# Exact inside the service; a JSON number (as the contract says) outside.
Number = Annotated[Decimal, PlainSerializer(float, return_type=float, when_used="json")]


class Resource(BaseModel):
    # Answers contain every field, so the schema marks each as required.
    model_config = ConfigDict(
        extra="forbid", json_schema_serialization_defaults_required=True, use_attribute_docstrings=True
    )
