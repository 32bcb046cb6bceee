"""Captions that stick to an invoice's number: "INVOICE#001", "č.2025001", and what OCR makes of them."""

import re
from functools import cache

from serve_app.extraction.captions.lexicon import meanings, tokens
from serve_app.extraction.knowledge import Caption, words_of

# A mark ends a caption; so does a Latin letter or a digit behind Chinese and Japanese ones, which no space follows.
_LED = re.compile(
    r"^(?P<caption>[^\W_][\w./ ]{0,30}?[#:：.°º№]+|[\u3040-\u30ff\u3400-\u9fff]{2,}(?=[ A-Za-z\d]))"
    r"\s*(?P<number>\S*\d\d.*)$"
)
_MEANINGS = frozenset({Caption.INVOICE_NUMBER, Caption.RECEIPT_NUMBER, Caption.NUMBER, Caption.TITLE})
# Digits that OCR takes for letters, within words.
_MISREAD = str.maketrans("0158", "oisb")
_IN_WORD = re.compile(r"(?<![^\W_])[0158]+(?=[^\W\d_]{2})|(?<=[^\W\d_])[0158]+(?=[^\W\d_])")


def without_caption(text: str) -> str:
    """A number without the caption before it, where it is clear where that ends and the rest has digits."""
    led = _LED.match(text)
    return led["number"] if led is not None and _is_caption(led["caption"]) else text


def _is_caption(printed: str) -> bool:
    """Whether all words are a caption of a number, or words for "number"."""
    bare = printed.rstrip("#:：.°º№ ").casefold()
    if len(bare) == 1:
        return bare in _numbers()
    spelled = _IN_WORD.sub(lambda found: found[0].translate(_MISREAD), bare)
    mark = ["#"] if printed.endswith("#") else []
    words = tokens(spelled)
    phrases = (tuple(words), (*words, *mark))
    is_known = any(not _MEANINGS.isdisjoint(meanings(phrase)) for phrase in phrases)
    ends = {word for word in words[-1:] if len(word) > 1}
    is_number = not {bare, *ends}.isdisjoint(_numbers())
    return bool(words) and (is_known or is_number)


@cache
def _numbers() -> frozenset[str]:
    return words_of(lambda language: language.glued_numbers)
