"""Values that may be the fields' of a document, each with what speaks for and against it."""
