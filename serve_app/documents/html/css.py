"""Untrusted style sheets, made harmless and resolved for a wide screen."""

import re

PAGE_WIDTH = 1000
"""CSS pixels: the width of a desktop window, so that rules for phones do not apply."""
LARGEST = "9999"
"""Longer lengths only make blank pages or move things out of sight anyway."""

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_IMPORT = re.compile(r"@(?:import|namespace|charset)\b[^;{}]*(?:;|\Z)", re.IGNORECASE)
_DATA = re.compile(r"url\(\s*+(?:\"data:[^\"]*+\"|'data:[^']*+'|data:[^)]*+)\s*+\)", re.IGNORECASE)
_HAS = re.compile(r":has\(", re.IGNORECASE)
_MEDIA = re.compile(r"@media\b([^{};]*)\{", re.IGNORECASE)
_LARGE = re.compile(r"(?<![\w.#-])(-?)\d{5,}(?:\.\d+)?(?=[a-z%]|\s*[;}!)]|\s|\Z)", re.IGNORECASE)
_FEATURE = re.compile(r"\(\s*(min|max)-(?:device-)?width\s*:\s*(\d+(?:\.\d+)?)\s*(px|em|rem)\s*\)", re.IGNORECASE)
_PIXELS = {"px": 1, "em": 16, "rem": 16}


def harmless(css: str) -> str:
    """The style sheet without imports and embedded files, with media queries resolved and lengths bounded."""
    css = _DATA.sub("url(data:,)", _IMPORT.sub("", _COMMENT.sub("", css)))
    # `:has()` searches the whole document for every element. An unknown selector has no effect.
    css = _HAS.sub(":-has(", css)
    # Inside an HTML element, only its own end tag ends a style sheet.
    css = css.replace("</", "<\\/")
    return bounded(_MEDIA.sub(lambda match: f"@media {'all' if applies(match[1]) else 'none'} {{", css))


def bounded(css: str) -> str:
    """Style declarations with no length over `LARGEST`."""
    return _LARGE.sub(rf"\g<1>{LARGEST}", css)


def applies(queries: str) -> bool:
    """Whether a list of media queries matches a screen of `PAGE_WIDTH`; unknown queries do not match."""
    return any(_holds(query.strip().lower()) for query in queries.split(",")) or not queries.strip()


def _holds(query: str) -> bool:
    query, negated = query.removeprefix("not ").strip(), query.startswith("not ")
    parts = [part.strip() for part in re.split(r"\band\b", query.removeprefix("only ")) if part.strip()]
    return all(map(_is_true, parts)) is not negated


def _is_true(part: str) -> bool:
    if part in ("all", "screen", "(orientation: landscape)", "(prefers-color-scheme: light)"):
        return True
    feature = _FEATURE.fullmatch(part)
    if feature is None:
        return False
    bound = float(feature[2]) * _PIXELS[feature[3]]
    return bound <= PAGE_WIDTH if feature[1] == "min" else bound >= PAGE_WIDTH
