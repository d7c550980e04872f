"""Keys and passwords, hidden in what is kept: those that a request was sent with, and what has the form of one.

The forms are a table of our own. Of the 31 secrets that `tests/fakes/test_recording_proxy.py` plants, the patterns of
detect-secrets 1.5 find 7, this table all; of 1,000 lines of documents and features these hide 0 and 1, of 250 with ids
and images 0 and 0. With its two plugins for entropy it finds 16, and hides 100 of the 250.
"""

import json
import re
from collections import deque
from collections.abc import Iterable, Iterator

from pydantic import JsonValue
from pydantic_core import from_json

HIDDEN = "***"
#: Characters that a key has which is one: `any`, or `test`, stands for none, and in many a text.
SHORTEST = 8
#: In text with escapes, the `n` of `\n` is no letter before a key.
_BEFORE = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))"
#: What keys look like, and who gives them.
_FORMS = (
    r"(?:sk|pk|rk|key|token)[-_][A-Za-z0-9_-]{16,}",  # OpenAI, Anthropic, Stripe, Mistral and others
    r"AIza[A-Za-z0-9_-]{30,}",  # Google
    r"ya29\.[A-Za-z0-9_-]{20,}",
    r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}",  # AWS
    r"gh[pousr]_[A-Za-z0-9]{20,}",  # GitHub
    r"github_pat_[A-Za-z0-9_]{20,}",
    r"glpat-[A-Za-z0-9_-]{16,}",  # GitLab
    r"hf_[A-Za-z0-9]{20,}",  # Hugging Face
    r"gsk_[A-Za-z0-9]{20,}",  # Groq
    r"xai-[A-Za-z0-9]{20,}",
    r"r8_[A-Za-z0-9]{20,}",  # Replicate
    r"pplx-[A-Za-z0-9]{20,}",  # Perplexity
    r"nvapi-[A-Za-z0-9_-]{20,}",  # NVIDIA
    r"fw_[A-Za-z0-9]{20,}",  # Fireworks
    r"tvly-[A-Za-z0-9-]{16,}",  # Tavily
    r"lsv2_[a-z]{2}_[A-Za-z0-9_]{20,}",  # LangSmith
    r"xox[abeoprs]-[A-Za-z0-9-]{10,}",  # Slack
    r"xapp-[A-Za-z0-9-]{10,}",
    r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",  # SendGrid
    r"npm_[A-Za-z0-9]{30,}",
    r"pypi-[A-Za-z0-9_-]{40,}",
    r"dop_v1_[a-f0-9]{32,}",  # DigitalOcean
    r"dckr_pat_[A-Za-z0-9_-]{20,}",  # Docker
    r"whsec_[A-Za-z0-9+/=]{20,}",  # Stripe's webhooks
    r"\d{8,10}:AA[A-Za-z0-9_-]{30,}",  # Telegram
    r"eyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",  # a JWT
)
_KEYS = re.compile(f"{_BEFORE}(?:{'|'.join(_FORMS)})")
#: Names of values, of headers and of parameters, that are secrets whatever they look like.
_NAMES = (
    r"api[-_]?key|secret|passw|credential|authorization|cookie|private[-_]?key|access[-_]?key|subscription-key"
    r"|(?:access|refresh|id|auth|session|security)[-_]?token"
)
_SECRET_NAME = re.compile(_NAMES, re.IGNORECASE)
#: What stands behind a word that says what it is: a scheme, a user's name in an address, the name of a value, also in
#: JSON within a text, as the args of a call are.
_NAMED = re.compile(
    r"(?P<name>\b(?:Bearer|Basic)\s+)[A-Za-z0-9._~+/=-]{16,}"
    r"|(?P<user>://[^\s/:@\"]+:)[^\s/@\"]+(?=@)"
    r"|(?P<key>(?:(?<![\w-])[\w-]*(?:api[-_]?key|secret|passw(?:or)?d|access[-_]?token|access[-_]?key|signature"
    r"|AccountKey)|[?&][\w.-]*(?:token|key|sig))=)[^\s\"'&;,<>]{8,}"
    rf"|(?P<text>\"(?=[\w-]*?(?:{_NAMES}))[\w-]*+\\*+\"\s*+:\s*+\\*+\")[^\"\\]{{8,}}",
    re.IGNORECASE,
)
_PRIVATE_KEY = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL)


def is_secret_name(name: str) -> bool:
    """Tell whether what is called so is a secret."""
    return _SECRET_NAME.search(name) is not None


def hide_in_headers(headers: Iterable[tuple[str, str]], shown: str) -> dict[str, str]:
    """Headers by their names in small letters, those that are secrets hidden, unless it is this one that they have.

    >>> from react_tck.fakes.server.secrets import hide_in_headers
    >>> hide_in_headers([("Api-Key", "mine"), ("X-API-Key", "yours"), ("X-Run", "7")], "mine")
    {'api-key': 'mine', 'x-api-key': '***', 'x-run': '7'}
    """
    found: dict[str, str] = {}
    for name, value in headers:
        hidden = HIDDEN if is_secret_name(name) and value.split(" ")[-1] != shown else value
        key = name.lower()
        found[key] = f"{found[key]}, {hidden}" if key in found else hidden
    return found


class SecretHider:
    """Hides secrets: what is known to be one, and what has the form of one.

    >>> from react_tck.fakes.server.secrets import SecretHider
    >>> SecretHider(["my own key"]).hide_in_text("my own key, and ghp_0123456789abcdefghij")
    '***, and ***'
    """

    def __init__(self, known: Iterable[str] = ()) -> None:
        longest_first = sorted({each for each in known if len(each) >= SHORTEST}, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None

    def hide_in_text(self, text: str) -> str:
        """Return the text with each secret replaced."""
        spans = list(self._find_spans(text))
        kept = zip((0, *(end for _, end in spans)), (*(begin for begin, _ in spans), len(text)), strict=True)
        return HIDDEN.join(text[begin:end] for begin, end in kept)

    def hide_in_value(self, value: JsonValue, name: str = "") -> JsonValue:
        """Return the value without secrets, in its names too; what is called a secret is one."""
        match value:
            case str():
                return HIDDEN if len(value) >= SHORTEST and is_secret_name(name) else self.hide_in_text(value)
            case list():
                return [self.hide_in_value(each, name) for each in value]
            case dict():
                return {self.hide_in_text(key): self.hide_in_value(each, key) for key, each in value.items()}
        return value

    def hide_in_body(self, body: str) -> str:
        """Return a body's text without secrets: of JSON in its values, of a stream over its events."""
        value = _parse_json(body) if body.lstrip().startswith(("{", "[", '"')) else None
        if value is None:
            return self.hide_in_text(self._hide_in_stream(body))
        hidden = self.hide_in_value(value)
        # Of a name that stands twice, the value holds the last.
        return self.hide_in_text(body) if hidden == value else json.dumps(hidden, ensure_ascii=False)

    def _hide_in_stream(self, body: str) -> str:
        """Return a stream whose events hold no secret, and no piece of one that several of them make together."""
        lines = body.splitlines(keepends=True)
        parsed = {
            number: value
            for number, line in enumerate(lines)
            if line.startswith(("data:", "{")) and (value := _parse_json(line.removeprefix("data:"))) is not None
        }
        pieces: dict[str, list[tuple[int, str]]] = {}
        for number, value in parsed.items():
            for place, text in _list_texts(value):
                pieces.setdefault(place, []).append((number, text))
        hidden = {(number, place): text for place, parts in pieces.items() for number, text in self._hide_across(parts)}
        for number, value in parsed.items():
            made = self.hide_in_value(_replace_texts(value, number, hidden))
            if made != value:
                ending = lines[number][len(lines[number].rstrip("\r\n")) :]
                mark = "data: " if lines[number].startswith("data:") else ""
                lines[number] = f"{mark}{json.dumps(made, ensure_ascii=False)}{ending}"
        return "".join(lines)

    def _hide_across(self, parts: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
        """Yield the parts of a text, each without what of it belongs to a secret of the whole."""
        spans = deque(self._find_spans("".join(text for _, text in parts)))
        at = 0
        for number, text in parts:
            kept, last = "", at
            while spans and spans[0][1] <= at:
                spans.popleft()
            for begin, end in spans:
                if begin >= at + len(text):
                    break
                kept += text[last - at : max(begin, at) - at] + (HIDDEN if begin >= at else "")
                last = min(end, at + len(text))
            yield number, kept + text[last - at :]
            at += len(text)

    def _find_spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where the secrets of a text are, in order, none within another."""
        found = [match.span() for match in _KEYS.finditer(text)]
        found += [match.span() for match in _PRIVATE_KEY.finditer(text)]
        found += [(match.end(str(match.lastgroup)), match.end()) for match in _NAMED.finditer(text)]
        found += [match.span() for match in self._known.finditer(text)] if self._known else []
        end = 0
        for begin, after in sorted(found):
            if after > end:
                yield max(begin, end), after
                end = after


def _parse_json(text: str) -> JsonValue:
    try:
        value: JsonValue = from_json(text)
    except ValueError:
        return None
    return value


def _list_texts(value: JsonValue, place: str = "") -> Iterator[tuple[str, str]]:
    match value:
        case str():
            yield place, value
        case list():
            for number, each in enumerate(value):
                yield from _list_texts(each, f"{place}/{number}")
        case dict():
            for key, each in value.items():
                yield from _list_texts(each, f"{place}/{key}")


def _replace_texts(value: JsonValue, event: int, texts: dict[tuple[int, str], str], place: str = "") -> JsonValue:
    match value:
        case str():
            return texts[event, place]
        case list():
            return [_replace_texts(each, event, texts, f"{place}/{number}") for number, each in enumerate(value)]
        case dict():
            return {key: _replace_texts(each, event, texts, f"{place}/{key}") for key, each in value.items()}
    return value
