"""Going out to the internet at the word of a stranger: to public addresses only (ADR 0022)."""
