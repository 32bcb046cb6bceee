"""Legal forms of a company's name: "Ltd", "GmbH & Co. KG", "S. de R.L. de C.V.", "EURL"."""

import re
from functools import lru_cache

from serve_app.domain.duplicates import LEGAL_FORMS
from serve_app.extraction.plain import plain

# Those that the keys of duplicates do not know. As there: without dots, accents and case; a form may be several words.
_MORE_FORMS = (
    "haftungsbeschrankt|partgmbb|partg|mbb|ggmbh|eu|"
    "sa rl|selarl|eurl|sci|scop|ltee|asbl|vzw|"
    "s de rl|de rl|de cv|sapi|sll|slp|slne|scp|s coop|unipessoal lda|unipessoal|sgps|ltda me|ltda epp|eireli|"
    "srls|spol s ro|spol|vos|ks|sp k|sp j|sp p|ska|bt|nyrt|kkt|ood|"
    "ltd sti|sti|san|tic|ve tic|sanayi|ve ticaret|limited sirketi|anonim sirketi|"
    "a s|i s|k s|p s|hb|kb|hf|"
    "private limited|pvtltd|proprietary limited|ptyltd|"
    "designated activity company|sau|scrl|berhad|sb|plt|tbk|p l|pllc|ulc|dac|clg|fzco|fze|fz llc|dmcc|gk|wll|cic|cc|"
    "ооо|оао|зао|пао|ао|тов|ат|пп|еоод|оод|ад|еад|ет|доо|дооел|αε|επε|εε|οε|ικε|"
    "spolka jawna|spolka komandytowa|spolka cywilna|spolka z ograniczona odpowiedzialnoscia|scoop|ei|enk|ans|tmi"
)
# The longer ones first: "ltda me" before "ltda".
_FORMS = f"{_MORE_FORMS}|{LEGAL_FORMS}"
_TRAILING = re.compile(rf"(?<=\w)(?: (?:{_FORMS})(?= |$))++$")
_CONJUNCTIONS = frozenset({"and", "und", "et", "y", "e", "i"})
# Some countries put the legal form first.
_LEADING = re.compile(
    r"^(?:ооо|оао|зао|пао|ао|тов|ат|пп|фоп|ип|"
    r"ooo|oao|zao|pao|tov|pt|eurl|sarl|selarl|sasu|sas|sci|sca|scea|earl|gaec|pphu|phu|fhu) (?=\w)"
)
# A legal form has at most so many words.
_LONGEST = 5


@lru_cache(maxsize=20_000)
def without_legal_form(name: str) -> str:
    """The name's words, one space apart, without case, accents, punctuation and legal form; empty if none is left."""
    return _LEADING.sub("", _TRAILING.sub("", _words(name)))


@lru_cache(maxsize=20_000)
def has_legal_form(text: str) -> bool:
    """Whether a name has a legal form ("Ltd", "GmbH & Co. KG")."""
    return without_legal_form(text) not in ("", _words(text))


@lru_cache(maxsize=20_000)
def is_only_legal_form(text: str) -> bool:
    """Whether a text is a legal form without a name."""
    return bool(_words(text)) and without_legal_form(f"x {text}") == "x"


def begins_with_legal_form(text: str) -> bool:
    """Whether a text goes on with the legal form of a name before it: "(haftungsbeschränkt)", "de C.V., Monterrey"."""
    words = text.split()[:_LONGEST]
    prefixes = (" ".join(words[:end]) for end in range(1, len(words) + 1))
    return any(is_only_legal_form(prefix) and _words(prefix).split()[-1] not in _CONJUNCTIONS for prefix in prefixes)


@lru_cache(maxsize=20_000)
def _words(text: str) -> str:
    """The words without case and accents. Dots and apostrophes are removed (S.A. is SA); other marks separate words."""
    return re.sub(r"[\W_]+", " ", re.sub(r"['\u2019`.]", "", plain(text))).strip()
