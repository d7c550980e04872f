"""Which output fields a system message asks for: a list under `Your output fields are:`, or its last sentence."""

import re
from collections.abc import Iterator
from functools import lru_cache

from react_tck.model.base import read_number

_BLOCK = re.compile(r"^[^\S\n]*Your output fields are:[^\S\n]*\n", re.MULTILINE)
_WIRE_KEY = re.compile(r"^[^\n`]+ \(wire key: `(\w+)`\):", re.MULTILINE)
#: A line that begins with a number or a bullet, and a name in backticks, or one with nothing but a remark behind it.
_ITEM = re.compile(
    r"^(?P<indent>[^\S\n]*)(?:(?P<number>\d+)[.)]|(?P<bullet>[-*•]))[^\S\n]+"
    r"(?:`(?P<quoted>\w+)`|(?P<bare>\w+)(?=[^\S\n]*(?:[(:]|$)))",
    re.MULTILINE,
)
_NAME = r"[`'\"]?\w+[`'\"]?"
#: udspy's, which its users' instructions can't take the place of.
_SENTENCE = re.compile(
    r"^Given the input fields: .*, produce the output fields: (?P<names>`\w+`(?:, `\w+`)*)\.\s*\Z", re.MULTILINE
)
#: Others say it in other words, where they have no list.
_ENDING = re.compile(
    r"\b(?:produce|return|give|generate|provide|output|(?:respond|reply|answer) with)"
    r" (?:only )?(?:the |these )?(?:following )?(?:output )?fields?:?\s+"
    rf"(?P<names>{_NAME}(?:(?:,| and|, and) {_NAME})*)\.?\s*\Z",
    re.IGNORECASE,
)
_OBJECTIVE = re.compile(r"^In adhering to this structure, your objective is:", re.MULTILINE)


# The same system message comes with every step of an episode.
@lru_cache(maxsize=256)
def output_fields(system: str) -> tuple[str, ...]:
    """Return the names that a system message lists as output fields; empty if it lists none.

    ax has the block in an element of its own, each name as the field's wire key, before the user's instructions.
    udspy ends its system message with a sentence, DSPy begins it with a numbered block and has the user's own
    instructions last, so what these quote can't be taken for either.
    """
    if sentence := _SENTENCE.search(system):
        return _split_names(sentence)
    block, (opening, *closings) = _BLOCK.search(system), _find_marks("output_fields", system)
    if closings and (block is None or opening.start() < block.start()):
        return tuple(_WIRE_KEY.findall(system[opening.end() : closings[0].start()]))
    if block:
        return tuple(_read_list(system[block.end() :]))
    ending = _ENDING.search(system)
    return _split_names(ending) if ending else ()


@lru_cache(maxsize=256)
def reply_structure(system: str) -> str:
    """Where a system message shows the form of a reply: all but the user's own instructions, which DSPy has last.

    Empty for udspy, which shows the form in the user message.
    """
    if _SENTENCE.search(system):
        return ""
    opening, *closings = _find_marks("task_definition", system)
    if closings:
        system = system[: opening.start()] + system[closings[-1].end() :]
    return _OBJECTIVE.split(system, maxsplit=1)[0]


def _find_marks(name: str, text: str) -> list[re.Match[str]]:
    """Return where an element begins, and where it may end; one pattern for both would look for the end once a mark."""
    opening = re.search(rf"^<{name}>$|\Z", text, re.MULTILINE)
    return [opening, *re.compile(rf"^</{name}>$", re.MULTILINE).finditer(text, opening.end())] if opening else []


def _split_names(sentence: re.Match[str]) -> tuple[str, ...]:
    return tuple(name for name in re.findall(r"\w+", sentence["names"]) if name != "and")


def _read_list(text: str) -> Iterator[str]:
    """Yield the names of a list whose items all begin alike; a list further down is another one."""
    first = _ITEM.search(text)
    if first and first["number"]:
        yield from _read_numbered_items(text, first)
    elif first and not text[: first.start()].strip():
        yield from _read_bulleted_items(text[first.start() :], first)


def _read_numbered_items(text: str, first: re.Match[str]) -> Iterator[str]:
    alike = (item for item in _ITEM.finditer(text) if _read_style(item) == _read_style(first))
    for number, item in enumerate(alike, 1):
        if read_number(item["number"]) != number:
            return
        yield _read_name(item)


def _read_bulleted_items(text: str, first: re.Match[str]) -> Iterator[str]:
    """Up to the first line that is neither an item nor indented as what belongs to one."""
    for line in text.splitlines():
        item = _ITEM.match(line)
        if item and _read_style(item) == _read_style(first):
            yield _read_name(item)
        elif not re.match(rf"{re.escape(first['indent'])}[^\S\n]+\S", line):
            return


def _read_style(item: re.Match[str]) -> tuple[str, str | None, bool]:
    return item["indent"], item["bullet"], item["quoted"] is None


def _read_name(item: re.Match[str]) -> str:
    return item["quoted"] or item["bare"]
