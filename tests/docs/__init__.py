"""The documentation: its links lead somewhere, and its pages keep to what their readers can rely on."""
