"""Why the values of a document are what they are: what each model saw, what was in question, and what decided."""
