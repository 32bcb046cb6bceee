"""The network that reads lines: on a CPU its last layer, which knows 18,710 characters, is computed in two steps.

Nearly all of these characters are Chinese, and to look for them takes a sixth of the time. So each column of a line is
looked up among the usual characters, and only where none of these is clearly seen among all.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from serve_app.documents.ocr.networks import (
    RECOGNISER,
    Network,
    Values,
    alphabet_of,
    compiled,
    load_on_gpu,
    models_folder,
)

_FIRST_RARE = 0x2100
"""Unicode has symbols, kana and Chinese from here on, and letters, digits, punctuation and signs of money before."""
_CLEAR = 0.99
"""How likely the best of the usual characters must be among these, 0 to 1."""
_STRONG = 16.0
"""How strong it must be, before all strengths are made to add up to 1. Where there is a rare character, that of "no
character", which is 25 to 30 on paper, is less; among usual characters alone it would seem certain."""
_BLOCK = 32
"""Columns that are looked up together among all characters: of one number, as an engine prepares itself for each."""
_WIDEST_KEPT = 2048
"""Pixels. The memory that a wider line needed is given back; all others are read with the same memory."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The likeliest character in each column of a line, as its class, and how likely it is, 0 to 1."""

    best: npt.NDArray[np.intp]
    chances: Values


class LineNetwork(Protocol):
    """Reads lines of one height."""

    alphabet: str
    """The characters of its classes, one a line. A class before them is for none, and one behind them for the space."""

    def read(self, batches: Iterable[Values]) -> list[Columns]:
        """The columns of each item of some batches."""
        ...


def load_line_network(device: str) -> LineNetwork:
    """The network on a GPU if `device` is `cuda`, or `auto` and there is one that works. Raises UserError if `cuda`
    cannot be used."""
    on_gpu = load_on_gpu(RECOGNISER, device)
    return WholeNetwork(on_gpu) if on_gpu else SplitNetwork(models_folder() / RECOGNISER)


class WholeNetwork:
    """Looks up every column among all characters."""

    def __init__(self, network: Network) -> None:
        self.alphabet = network.alphabet
        self._network = network

    def read(self, batches: Iterable[Values]) -> list[Columns]:
        return [_columns(chances) for values in batches for chances in self._network.run(values)]


class SplitNetwork:
    """OpenVINO, with the last layer in two steps."""

    def __init__(self, path: Path) -> None:
        import openvino

        model = openvino.Core().read_model(path)
        self.alphabet = alphabet_of(model)
        self._usual = _usual_classes(self.alphabet)
        last = _LastLayer.of(model)
        self._body = compiled(last.body(model, self._usual), path.name)
        self._request = self._body.create_infer_request()
        self._head_request = compiled(last.head(), path.name).create_infer_request()

    def read(self, batches: Iterable[Values]) -> list[Columns]:
        lines = list(self._look(batches))
        if not lines:
            return []
        ends = np.cumsum([len(best) for best, *_ in lines])
        best, chances, strengths, features = map(np.concatenate, zip(*lines, strict=True))
        self._look_up(best, chances, features, (chances < _CLEAR) | (strengths < _STRONG))
        return [Columns(*parts) for parts in zip(*(np.split(part, ends[:-1]) for part in (best, chances)), strict=True)]

    def _look(self, batches: Iterable[Values]) -> Iterator[tuple[npt.NDArray[np.intp], Values, Values, Values]]:
        """For each line, the likeliest of the usual characters in each column, how likely and how strong it is, and the
        column's features. Items of a batch run one by one: as fast, with less memory."""
        widest = 0
        for values in batches:
            for index in range(len(values)):
                self._request.infer(values[index : index + 1], share_inputs=True, share_outputs=True)
                chances, strengths, features = (self._request.get_output_tensor(output).data[0] for output in range(3))
                found = _columns(chances)
                yield self._usual[found.best], found.chances, strengths.copy(), features.copy()
            widest = max(widest, values.shape[-1])
        if widest > _WIDEST_KEPT:
            self._request = self._body.create_infer_request()
            self._body.release_memory()

    def _look_up(
        self, best: npt.NDArray[np.intp], chances: Values, features: Values, unclear: npt.NDArray[np.bool_]
    ) -> None:
        """Look up the unclear columns among all characters."""
        places = np.flatnonzero(unclear)
        block = np.zeros((_BLOCK, features.shape[1]), np.float32)
        for part in (places[start : start + _BLOCK] for start in range(0, len(places), _BLOCK)):
            block[: len(part)] = features[part]
            self._head_request.infer(block, share_inputs=True, share_outputs=True)
            found = _columns(self._head_request.get_output_tensor(0).data[: len(part)])
            best[part], chances[part] = found.best, found.chances


def _columns(chances: Values) -> Columns:
    best = chances.argmax(axis=1)
    return Columns(best, chances[np.arange(len(best)), best])


def _usual_classes(alphabet: str) -> npt.NDArray[np.intp]:
    characters = alphabet.splitlines()
    usual = [number for number, character in enumerate(characters, 1) if ord(character[0]) < _FIRST_RARE]
    return np.array([0, *usual, len(characters) + 1], np.intp)


@dataclass(frozen=True, slots=True)
class _LastLayer:
    """Maps `features`, an output within a model, to chances of classes."""

    features: Any
    weights: Values
    bias: Values

    @classmethod
    def of(cls, model: Any) -> "_LastLayer":
        """That of a model which ends in a product of matrices, a sum and a softmax."""
        softmax = _before(model.get_results()[0])
        total = _before(softmax)
        product = _before(total)
        weights, bias = (node.input_value(1).get_node().get_data() for node in (product, total))
        return cls(product.input_value(0), weights, bias.reshape(-1))

    def body(self, model: Any, classes: npt.NDArray[np.intp]) -> Any:
        """The model with chances of some classes only, the strength of the strongest, and the features."""
        import openvino
        from openvino import opset13

        strengths = self._strengths(self.features, classes)
        strongest = opset13.reduce_max(strengths, -1, False).output(0)
        return openvino.Model([_chances(strengths), strongest, self.features], model.get_parameters())

    def head(self) -> Any:
        """A model from blocks of features to the chances of all classes."""
        import openvino
        from openvino import opset13

        features = opset13.parameter([_BLOCK, len(self.weights)], np.float32)
        strengths = self._strengths(features.output(0), np.arange(len(self.bias)))
        return openvino.Model([_chances(strengths)], [features])

    def _strengths(self, features: Any, classes: npt.NDArray[np.intp]) -> Any:
        from openvino import opset13

        weights = opset13.constant(np.ascontiguousarray(self.weights[:, classes]))
        return opset13.add(opset13.matmul(features, weights, False, False), opset13.constant(self.bias[classes]))


def _chances(strengths: Any) -> Any:
    from openvino import opset13

    return opset13.softmax(strengths, -1).output(0)


def _before(node: Any) -> Any:
    """What computes the first input of a node."""
    source = node.input_value(0).get_node()
    return _before(source) if source.get_type_name() == "Identity" else source
