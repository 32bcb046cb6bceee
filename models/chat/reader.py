"""Reads documents by asking a chat model about each page, and finding its answers among the page's words."""

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from models.adapters.locate import Locator
from models.chat.answers import Value, check, values_of
from models.chat.breaker import Breaker
from models.chat.client import ChatClient, ChatFailure
from models.chat.endpoint import Sends
from models.chat.question import endpoint_of, question, read_prompt, revision_of
from models.chat.trial import trial
from models.config import ModelConfig, ModelError
from models.spans import SpanScores
from models.token_model import TokenModel
from serve_app.domain.document import Document, Page
from serve_app.domain.reading import Reading, StatedValue

log = logging.getLogger(__name__)

Load = Callable[[ModelConfig], TokenModel]


def chat_model(config: ModelConfig, load: Load) -> "ChatReader":
    """A reader that was tried; `load` loads its fallback. Raises ModelError if the server refuses the question, if its
    answer is of no use, or if it is out of reach and there is no fallback."""
    endpoint = endpoint_of(config)
    try:
        client = ChatClient(endpoint)
    except OSError as error:
        raise ModelError(f"the key of the model's server cannot be read: {error}") from error
    reader = ChatReader(config, client, load(config.fallback) if config.fallback else None)
    try:
        trial(reader.ask)
    except ChatFailure as error:
        if not (error.is_passing and error.is_silence and config.fallback):
            raise ModelError(f"the model at {endpoint.url} cannot be used: {error}") from error
        log.warning("a chat model is out of reach at the start, its fallback reads: %s", error)
    return reader


class ChatReader:
    """Asks about all pages of a batch at the same time.

    If an answer to a page of a document fails, the fallback reads the whole document, and the reading is named after
    it; without a fallback, ChatFailure is raised. A server that stays silent is left alone for a while.
    """

    def __init__(
        self, config: ModelConfig, client: ChatClient, fallback: TokenModel | None, breaker: Breaker | None = None
    ) -> None:
        self._endpoint = endpoint_of(config)
        self._model = config.checkpoint
        self._client = client
        self._fallback = fallback
        self._breaker = breaker or Breaker()
        self._prompt = read_prompt(self._endpoint)
        self.revision = revision_of(config)
        self.sha256 = ""
        self.needs_pictures = self._endpoint.sends is not Sends.WORDS or bool(fallback and fallback.needs_pictures)

    def read(self, documents: Sequence[Document]) -> list[Reading]:
        """One reading for each document, in order. Raises ChatFailure if there is no fallback."""
        with ThreadPoolExecutor(self._endpoint.parallel, "chat") as pool:
            asked = [[pool.submit(self._stated_on, page) for page in document.pages] for document in documents]
            readings = []
            for document, pages in zip(documents, asked, strict=True):
                try:
                    readings.append(self._reading(document, [page.result() for page in pages]))
                except ChatFailure as error:
                    if self._fallback is None:
                        raise
                    log.warning("the fallback of a chat model reads a document: %s", error)
                    readings += self._fallback.read([document])
        return readings

    def ask(self, page: Page) -> list[Value]:
        """The values that the model finds on a page. Raises ChatFailure."""
        if not self._breaker.may_ask():
            raise ChatFailure("the model's server did not answer lately", is_passing=True, is_silence=True)
        try:
            answer = self._client.ask(question(page, self._prompt, self._model, self._endpoint), check)
        except ChatFailure as error:
            self._breaker.failed() if error.is_silence else self._breaker.succeeded()
            raise
        self._breaker.succeeded()
        return values_of(answer)

    def _stated_on(self, page: Page) -> list[StatedValue]:
        """The values that the model states for a page, at their places."""
        if not page.words:
            return []
        locator = Locator(page)
        return [locator.stated(value.label, value.text, value.probability) for value in self.ask(page)]

    def _reading(self, document: Document, pages: Sequence[Sequence[StatedValue]]) -> Reading:
        spans = SpanScores(document)
        for index, stated in enumerate(pages):
            for value in stated:
                spans.add(index, value)
        return spans.reading(self.revision, self.sha256)
