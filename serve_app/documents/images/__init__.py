"""Picture files and rendered pages to upright, even pages."""
