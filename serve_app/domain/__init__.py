"""What an invoice is. Pure: no input or output, no framework but pydantic."""
