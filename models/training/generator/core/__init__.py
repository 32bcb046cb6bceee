"""Tools of the generator: word lists, number and date formats, fonts, the canvas, noise."""
