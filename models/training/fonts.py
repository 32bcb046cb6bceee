"""The fonts in which pages of others are printed, beside their own."""

FONTS = ("Liberation Serif", "Liberation Mono", "DejaVu Sans", "Open Sans", "Lato", "Roboto", "Liberation Sans")
