"""One question to a server with OpenAI's chat protocol, asked again where that helps."""

import json
import math
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx2

from models.chat.endpoint import Endpoint

# An answer is some thousand tokens; with their probabilities, a few hundred bytes each.
_MOST_BYTES = 8 * 1024 * 1024
_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 8.0
# What may be otherwise a moment later: too many requests, a timeout, a server that restarts.
_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504})


class ChatFailure(RuntimeError):
    """The server gave no usable answer; the message says why, without anything of the document.

    `is_passing`: another try may succeed. `is_silence`: it says something about the server, not about the document.
    """

    def __init__(self, why: str, *, is_passing: bool = False, is_silence: bool = False) -> None:
        super().__init__(why)
        self.is_passing = is_passing
        self.is_silence = is_silence


@dataclass(frozen=True, slots=True)
class Token:
    """A part of a text and the probability that the model gave it."""

    text: str
    probability: float


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model wrote. `tokens` make up the text, or are empty where the server does not tell probabilities."""

    text: str
    tokens: tuple[Token, ...]


class ChatClient:
    """Asks one server; safe for threads."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        transport: httpx2.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._endpoint = endpoint
        self._sleep = sleep
        # No redirects: documents go where the configuration says, and nowhere else.
        self._http = httpx2.Client(
            headers=_headers(endpoint),
            follow_redirects=False,
            transport=transport,
            limits=httpx2.Limits(max_connections=endpoint.parallel),
        )

    def ask(self, question: Mapping[str, Any], understood: Callable[[Answer], None] = lambda _: None) -> Answer:
        """The answer to the body of a chat request. `understood` raises ChatFailure for one that is of no use, which is
        then asked for once more. Raises ChatFailure after the last try, or when the time is up."""
        deadline = time.monotonic() + self._endpoint.seconds
        for attempt in range(self._endpoint.tries):
            try:
                answer = self._once(question, deadline)
                understood(answer)
                return answer
            except _Later as later:
                failure, pause = later.failure, later.seconds
            except ChatFailure as error:
                failure, pause = error, None
            pause = _pause(attempt) if pause is None else pause
            is_last = attempt + 1 == self._endpoint.tries
            if is_last or not failure.is_passing or time.monotonic() + pause >= deadline:
                raise failure
            self._sleep(pause)
        raise AssertionError("there is at least one try")

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def _once(self, question: Mapping[str, Any], deadline: float) -> Answer:
        left = deadline - time.monotonic()
        if left <= 0:
            raise ChatFailure("the model's server took too long", is_silence=True)
        url = f"{self._endpoint.url.rstrip('/')}/chat/completions"
        try:
            with self._http.stream("POST", url, json=question, timeout=left) as response:
                body = _body(response, deadline)
                status, headers = response.status_code, response.headers
        except httpx2.TimeoutException as error:
            raise ChatFailure("the model's server took too long", is_passing=True, is_silence=True) from error
        except httpx2.HTTPError as error:
            why = f"the model's server cannot be reached ({type(error).__name__})"
            raise ChatFailure(why, is_passing=True, is_silence=True) from error
        if status != 200:
            raise _refused(status, headers.get("retry-after"))
        return _answer(body)


class _Later(Exception):
    def __init__(self, failure: ChatFailure, seconds: float) -> None:
        super().__init__(str(failure))
        self.failure = failure
        self.seconds = seconds


def _headers(endpoint: Endpoint) -> dict[str, str]:
    if endpoint.key_file is None:
        return {}
    return {"Authorization": f"Bearer {endpoint.key_file.read_text(encoding='utf-8').strip()}"}


def _body(response: httpx2.Response, deadline: float) -> bytes:
    """The whole body. A server that sends a byte now and then does not get more time by that."""
    parts, size = [], 0
    for part in response.iter_bytes():
        size += len(part)
        if size > _MOST_BYTES:
            raise ChatFailure("the model's server sent too much")
        if time.monotonic() > deadline:
            raise ChatFailure("the model's server took too long", is_silence=True)
        parts.append(part)
    return b"".join(parts)


def _refused(status: int, retry_after: str | None) -> Exception:
    failure = ChatFailure(
        f"the model's server answered with status {status}", is_passing=status in _PASSING, is_silence=status != 413
    )
    if failure.is_passing and retry_after is not None and retry_after.isdigit():
        return _Later(failure, float(retry_after))
    return failure


def _pause(attempt: int) -> float:
    """Longer each time, and not the same for all who wait."""
    return float(min(_FIRST_PAUSE_S * 2**attempt, _LONGEST_PAUSE_S) * random.uniform(0.5, 1))  # noqa: S311


def _answer(body: bytes) -> Answer:
    """Parse the body of a chat completion."""
    try:
        choice = json.loads(body)["choices"][0]
        text, reason = choice["message"]["content"], choice.get("finish_reason")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ChatFailure("the model's server sent no chat completion", is_passing=True, is_silence=True) from error
    if reason == "length":
        raise ChatFailure("the model's answer was cut off; most_tokens is too small, or it repeats itself")
    if not isinstance(text, str) or not text.strip():
        raise ChatFailure("the model did not answer", is_passing=True)
    return Answer(text, _tokens(choice.get("logprobs"), text))


def _tokens(logprobs: Any, text: str) -> tuple[Token, ...]:
    """The tokens with their probabilities; none if they are not those of the text, or not probabilities."""
    try:
        tokens = tuple(Token(str(each["token"]), math.exp(each["logprob"])) for each in logprobs["content"])
    except (LookupError, TypeError, ValueError, OverflowError):
        return ()
    are_probabilities = all(0 <= token.probability <= 1 for token in tokens)
    return tokens if are_probabilities and "".join(token.text for token in tokens) == text else ()
