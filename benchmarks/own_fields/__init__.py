"""Own fields on handwritten documents: right after so many pointed examples."""
