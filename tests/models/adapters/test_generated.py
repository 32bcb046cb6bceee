"""What a model writes about a picture becomes labels of the words that print it."""

from pathlib import Path

import numpy as np
import pytest

from models.adapters.generated import parse_sequence
from models.adapters.locate import Found, Locator
from models.loading import Adapter, ModelConfig, ModelError, load_model
from serve_app.domain.document import Document
from serve_app.domain.labels import TAGS, Label
from tests.models.adapters.pages import page_of, picture
from tests.support.foreign import write_donut

MAP = {"total.price": "TOTAL", "store": "SELLER"}


class Letters:
    """A tokenizer of one token a word or mark."""

    def convert_ids_to_tokens(self, ids: list[int]) -> list[str]:
        return [TOKENS[id_] for id_ in ids]

    def decode(self, ids: list[int], skip_special_tokens: bool) -> str:
        return " ".join(TOKENS[id_] for id_ in ids)


MENU = ["<s_menu>", "<s_name>", "Tea", "cup", "</s_name>", "<sep/>", "<s_name>", "Milk", "</s_name>", "</s_menu>"]
TOKENS = [*MENU, "<s_total>", "9.50", "</s_total>"]


def parsed(tokens: list[int]) -> list[tuple[str, str]]:
    values = parse_sequence(Letters(), tokens, [0.5] * len(tokens))
    return [(".".join(value.keys), value.text) for value in values]


def test_values_stand_under_their_keys() -> None:
    assert parsed(list(range(len(TOKENS)))) == [("menu.name", "Tea cup"), ("menu.name", "Milk"), ("total", "9.50")]


def test_a_sequence_that_breaks_off_keeps_what_it_said() -> None:
    assert parsed(list(range(4))) == [("menu.name", "Tea cup")]


def test_text_under_no_key_is_nothing() -> None:
    assert parsed([2, 3]) == []


def test_a_value_is_as_likely_as_its_tokens_on_average() -> None:
    (value,) = parse_sequence(Letters(), [1, 2, 3, 4], [0.1, 0.9, 0.4, 0.1])
    assert value.probability == pytest.approx(0.6)


def test_a_text_is_found_however_it_is_split() -> None:
    locator = Locator(page_of("Total", "1", "190.00", "EUR"))
    assert locator.find(Label.TOTAL, "1190.00") == Found((1, 2), is_printed=True)


def test_a_similar_text_is_a_place_and_not_the_value() -> None:
    locator = Locator(page_of("Acme", "Trading", "Limited", "381.34"))
    assert locator.find(Label.SELLER, "Acme Tradimg Limited") == Found((0, 1, 2), is_printed=False)
    assert locator.find(Label.TOTAL, "380.34") == Found((3,), is_printed=False)
    assert locator.find(Label.SELLER, "Bolts Inc") is None


@pytest.mark.parametrize(
    ("label", "text", "words"),
    [
        (Label.TOTAL, "1190", (0,)),
        (Label.TOTAL, "EUR 1190.00", (0,)),
        (Label.ISSUE_DATE, "2024-03-31", (1,)),
        (Label.ISSUE_DATE, "31 March 2024", (1,)),
        (Label.INVOICE_NUMBER, "#INV-7", (2,)),
        (Label.SELLER, "ACME Trading S.A.R.L.", (3, 4, 5)),
        (Label.SELLER, "Acme Trading", (3, 4)),
    ],
)
def test_a_value_is_found_however_it_is_written(label: Label, text: str, words: tuple[int, ...]) -> None:
    page = page_of("1.190,00", "31.03.2024", "INV-7", "Acmé", "Trading", "SARL", "19,00", "20,00")
    assert Locator(page).find(label, text) == Found(words, is_printed=True)


def test_equal_texts_are_found_one_after_the_other() -> None:
    locator = Locator(page_of("Tea", "2.00", "Milk", "2.00"))
    found = [locator.find(Label.TOTAL, "2.00") for _ in range(3)]
    assert [answer.words if answer else None for answer in found] == [(1,), (3,), None]


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    total = ["<s_total>", "<s_price>", "9", "##.", "##5", "##0", "</s_price>", "</s_total>"]
    store = ["<s_store>", "A", "##c", "##m", "##e", "</s_store>"]
    return write_donut(tmp_path_factory.mktemp("checkpoint"), [*total, *store])


def config(checkpoint: Path, **more: object) -> ModelConfig:
    values = {"adapter": Adapter.IMAGE_TO_SEQUENCE, "checkpoint": str(checkpoint), "label_map": MAP, **more}
    return ModelConfig.model_validate(values)


def test_words_that_print_what_was_written_get_its_label(checkpoint: Path) -> None:
    model = load_model(config(checkpoint, task_prompt="<s_invoice>", revision="donut-1"))
    assert model.needs_pictures
    page = page_of("Acme", "Total", "9.50", picture=picture())
    (reading,) = model.read([Document((page, page_of(number=2)))])
    assert reading.revision == "donut-1"
    scores = reading.pages[0].scores
    assert np.allclose(scores.sum(axis=1), 1, atol=1e-5)
    assert [TAGS[column] for column in scores.argmax(axis=1)] == ["B-SELLER", "O", "B-TOTAL"]


def test_a_page_without_its_picture_is_an_error(checkpoint: Path) -> None:
    with pytest.raises(ValueError, match="page 1 has no picture"):
        load_model(config(checkpoint)).read([Document((page_of("Acme"),))])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"label_map": None}, "needs a label_map"),
        ({"label_map": {"store": None}}, "maps nothing to a label"),
        ({"task_prompt": "<s_receipt>"}, "does not know the task prompt"),
    ],
)
def test_what_would_never_answer_is_refused(checkpoint: Path, change: dict[str, object], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        load_model(config(checkpoint, **change))
