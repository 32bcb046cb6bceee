"""Digits that are printed smaller and higher than what they follow: words have them in the raised form of Unicode."""

RAISED_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
"""By value: readers write "614" with raised cents as "614⁰²", and a footnote mark behind a sum as "5.00¹"."""
