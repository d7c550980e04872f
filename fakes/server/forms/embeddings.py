"""`POST /v1/embeddings`: vectors that are the same in every run, and the nearer the more words two texts share."""

import base64
import math
import re
import struct
from collections.abc import Iterator
from hashlib import sha512
from typing import Any

from react_tck.fakes.server.errors import BadRequest
from react_tck.fakes.server.reading import json_object
from react_tck.fakes.server.wire import Reply, json_reply

#: The dimensions of a vector if no number is asked for, as OpenAI's small model has it.
_DIMENSIONS = 1536
#: Texts of a request, as at OpenAI; and numbers of a reply, so that nobody has to wait for others.
_TEXTS, _NUMBERS = 2048, 2**22
_WORD = re.compile(r"\w+")


def answer_request(body: bytes, model: str = "") -> Reply:
    """Return the vectors of the texts in a body; for this model if it names none.

    Raises:
        BadRequest: if there are none, or they are asked for in a way that there isn't.
    """
    values = json_object(body)
    texts = list(_read_texts(values.get("input")))
    wanted = values.get("dimensions")
    dimensions = _DIMENSIONS if wanted is None else wanted
    if type(dimensions) is not int or dimensions < 1 or dimensions * len(texts) > _NUMBERS:
        raise BadRequest(
            f"`dimensions` is {str(dimensions)[:20]}; it is 1 or more, and {_NUMBERS} at most in all texts"
        )
    encoding = values.get("encoding_format") or "float"
    if encoding not in ("float", "base64"):
        raise BadRequest("`encoding_format` is neither float nor base64")
    tokens = sum(map(len, texts)) // 4
    made = [
        {"object": "embedding", "index": at, "embedding": _encode(embed_text(text, dimensions), encoding)}
        for at, text in enumerate(texts)
    ]
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    return json_reply({"object": "list", "data": made, "model": values.get("model") or model, "usage": usage})


def embed_text(text: str, dimensions: int) -> tuple[float, ...]:
    """Return the vector of a text, of length 1, in numbers of 32 bits.

    Each word, and the text as a whole, adds to a few of the numbers: texts with the same words are near each other, and
    the same words in another order aren't the same text.

    >>> from react_tck.fakes.server.forms.embeddings import embed_text
    >>> embed_text("It is 5.", 3) == embed_text("It is 5.", 3) != embed_text("5 it is.", 3)
    True
    """
    vector = [0.0] * dimensions
    for part in (*_WORD.findall(text.lower()), f"the whole: {text}"):
        for number in struct.unpack("<8Q", sha512(part.encode(errors="surrogatepass")).digest()):
            vector[(number >> 1) % dimensions] += 1 if number % 2 else -1
    length = math.sqrt(sum(each * each for each in vector))
    if not length:
        vector[0] = length = 1.0
    return struct.unpack(f"<{dimensions}f", struct.pack(f"<{dimensions}f", *(each / length for each in vector)))


def _read_texts(given: Any) -> Iterator[str]:
    """Yield the texts of an input: one or several, as text or as the numbers of tokens.

    Raises:
        BadRequest: if it is nothing of that kind.
    """
    several = given if isinstance(given, list) and not all(type(each) is int for each in given) else [given]
    if len(several) > _TEXTS:
        raise BadRequest(f"`input` has {len(several)} texts; there may be {_TEXTS}")
    for each in several:
        if isinstance(each, list) and each and all(type(token) is int for token in each):
            yield " ".join(map(str, each))
        elif isinstance(each, str) and each:
            yield each
        else:
            raise BadRequest("`input` is neither a text nor a list of texts, none of them empty")


def _encode(vector: tuple[float, ...], encoding: str) -> list[float] | str:
    if encoding == "float":
        return list(vector)
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
