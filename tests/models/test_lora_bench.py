"""The receipts on which LoRA is measured, and the small vision model that reads them."""

import json
from random import Random

import pytest

from benchmarks.adapters.llava import ANSWER, ASK, IMAGE
from benchmarks.lora import base
from benchmarks.lora.pages import LETTERS, SIDE, Draw, Receipt, taught, untaught
from models.training.conversations import picture_of


@pytest.mark.parametrize("draw", [taught, untaught])
def test_a_receipt_fills_its_grid_and_prints_its_values(draw: Draw) -> None:
    for seed in range(200):
        receipt = draw(Random(seed))
        assert len(receipt.letters) == SIDE * SIDE
        assert set(receipt.letters) <= set(LETTERS)
        assert all(any(value in row for row in receipt.rows) for value in receipt.values.values())


def test_no_taught_receipt_has_the_captions_and_formats_of_the_new_layout() -> None:
    letters = "\n".join("\n".join(taught(Random(seed)).rows) for seed in range(500))
    assert not any(caption in letters for caption in ("BETRAG", "MWST", "VOM ", "ZL ", "HAUS"))
    amounts = [value for seed in range(50) for value in taught(Random(seed)).values.values()]
    assert not any("/" in value or value[-3:-2] == "," for value in amounts)


def test_the_language_model_learns_from_letters_in_the_places_of_patches() -> None:
    """Else what it learns from text would not hold for pictures."""
    _, processor = base.make(0)
    receipt = taught(Random(0))
    messages = [{"role": "system", "content": "Copy."}, {"role": "user", "content": [{"type": "image"}]}]
    asked = processor.apply_chat_template(messages, add_generation_prompt=True)
    shown = processor(text=[asked], images=[picture_of(receipt.picture())], return_tensors="pt")["input_ids"][
        0
    ].tolist()
    read = processor.tokenizer(f"{ASK}{receipt.letters}{ANSWER}")["input_ids"]
    assert len(shown) == len(read) == SIDE * SIDE + 2
    assert [shown[0], shown[-1]] == [read[0], read[-1]]
    assert {processor.tokenizer.decode(token) for token in shown[1:-1]} == {IMAGE}
    assert processor.tokenizer.decode(read[1:-1]) == receipt.letters


def test_an_answer_has_one_token_between_two_values() -> None:
    _, processor = base.make(0)
    receipt = Receipt(("",) * SIDE, {"seller": "KOBA", "total": "9.80"})
    tokens = processor.tokenizer(base.answer_of(receipt))["input_ids"]
    assert len(tokens) == len("KOBA") + len("9.80") + 3
    assert json.loads(processor.tokenizer.decode(tokens)) == receipt.values
