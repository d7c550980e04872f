"""Reads what a step request demands, in the spellings that adapters and ports have for it. Pure functions."""

import re
from collections.abc import Iterator

from react_tck.dialects.field_lists import output_fields
from react_tck.dialects.fields import FINAL_ANSWER, FINISH, step_names
from react_tck.dialects.labels import REACT_TEXT, labels_of, plain_name
from react_tck.dialects.native import may_answer
from react_tck.model.base import JsonObject
from react_tck.model.lm import Ask, LMRequest

#: Enough for a list of tools with their descriptions, and for a remark on one field.
_LONG, _SHORT = 2000, 200

_WORD = r"[A-Za-z_]\w*(?:[.-]\w+)*"
_NAME = rf"[`'\"]?(?P<name>{_WORD})[`'\"]?"
_PLAIN_NAME = _NAME.replace("?P<name>", "?:")
_JOINT = r"(?:\s*[,;|/]\s*(?:or |and )?|\s+(?:or|and)\s+)"
_LEAD = r"(?:Literal|[Oo]ne[ _][Oo]f|[Ee]num|[Aa]llowed(?: \w+)?|[Vv]alues|[Cc]hoices|[Oo]ptions)"
_NOUN = r"(?:tool|function|action|name|value|option)s?"
#: What may stand before a list: "one of the available functions: add, search".
_FILLER = (
    r"\s+(?:the|these|those|following|available|allowed)\b"
    rf"(?:\s+(?:following|available|allowed|{_NOUN})\b)*+[^\w\n,;|/]*(?!(?:or|and|{_NOUN})\b)"
)
_ROW = re.compile(rf"{_LEAD}\b(?:{_FILLER}|[^\w\n]*)(?P<names>{_PLAIN_NAME}(?:{_JOINT}{_PLAIN_NAME})*)")
_UNION = re.compile(rf"(?P<names>['\"]{_WORD}['\"](?:\s*\|\s*['\"]{_WORD}['\"])+)")
_BRACES = re.compile(rf"\{{(?P<names>{_PLAIN_NAME}(?:{_JOINT}{_PLAIN_NAME})*)\}}")
_BULLETS = re.compile(rf"{_LEAD}\b[^\n]*\n\s*(?P<lines>(?:(?:[-*•]|\(?\d+[.):]+)\s*\w[^\n]*(?:\n\s*|$))+)")
_BULLET = re.compile(rf"^\s*(?:[-*•]|\(?\d+[.):]+)\s*{_NAME}", re.MULTILINE)

_OBJECT = re.compile(r"\b(?:objects?|dict|dictionary|map|mapping|hash|struct|record)\b|\{(?=[\s.\"'}])", re.IGNORECASE)
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_JSON = re.compile(r"\bJSON\b", re.IGNORECASE)

_INPUT_BLOCK = re.compile(r"^Your input fields are:[^\S\n]*\n(?P<items>(?:\d+\. `\w+`.*\n?)+)", re.MULTILINE)
_INPUT_SENTENCE = re.compile(r"^Given the input fields: (?P<items>`\w+`(?:, `\w+`)*)", re.MULTILINE)

_TYPE_WORDS = {
    "string": r"strings?|str|text",
    "integer": r"integers?|int(?:32|64)?|i32|i64|long",
    "number": r"numbers?|float(?:32|64)?|f64|double|decimal",
    "boolean": r"boolean|bool",
    "array": r"array|list|vec|slice|sequence",
}


def allowed_tools(request: LMRequest, answer_tool: str | None = None, ask: Ask | None = None) -> list[frozenset[str]]:
    """Every list of values that the request allows for the field that names the tool.

    Natively these are the tools offered, and `finish` where the LM may answer instead, or by calling the answer tool;
    so it is in `react-text`.
    """
    if request.tools:
        answer = (FINISH,) if may_answer(request) else ()
        offered = (FINISH if offer.name == answer_tool else offer.name for offer in request.tools)
        return [frozenset((*offered, *answer))]
    fields = _step_fields(request, ask)
    answer = (FINISH,) if ask and FINAL_ANSWER in ask.fields else ()
    remarks = _find_remarks(request.text, fields, fields[1], _LONG)
    return [names.union(answer) for remark in remarks for names in _find_lists(remark)]


def demands_json_object(request: LMRequest, ask: Ask | None = None) -> tuple[bool, bool]:
    """Whether the args are said to be JSON, and whether they are said to be an object."""
    if request.tools:
        return True, True
    fields = _step_fields(request, ask)
    args = fields[2]
    remarks = [_BLANK_LINE.split(remark)[0] for remark in _find_remarks(request.text, fields, args, _SHORT)]
    remarks += re.findall(rf"\bJSON\b[^.:{{\n]*(?={args})", request.text, re.IGNORECASE)
    said = [remark for remark in remarks if remark]
    return any(map(_JSON.search, said)), any(map(_OBJECT.search, said))


def input_fields(system: str) -> frozenset[str] | None:
    """The names in the input-fields block of a system message; None if it has none."""
    block = _INPUT_BLOCK.search(system)
    # udspy ends its system message with the sentence; the user's own instructions come before.
    sentences = list(_INPUT_SENTENCE.finditer(system))
    found = block or (sentences[-1] if sentences else None)
    return frozenset(re.findall(r"`(\w+)`", _cut_descriptions(found["items"]))) if found else None


def hidden_argument(text: str, parameters: JsonObject) -> str | None:
    """The first argument, nested ones included, that the text doesn't show with its type; None if it shows all."""
    arguments = dict(_list_arguments(parameters))
    for name, schema in arguments.items():
        if not _shows_argument(text, name, schema, set(arguments) - {name}):
            return f"{name} ({_describe_type(schema)})"
    return None


def has_parameter(text: str, name: str) -> bool:
    """Whether the text has the name where a parameter stands: as a key, or with its type, in a list or alone."""
    return re.search(rf"[\"'`]{name}[\"'`]|(?<![\w.*]){name}\s*[:=,)]", text) is not None


def is_required(text: str, parameter: str) -> bool:
    """Whether a JSON Schema in the text has the parameter among those that are required, or says so of it alone."""
    quoted = rf"[\"']{re.escape(parameter)}[\"']"
    listed = rf"[\"']required[\"']\s*:\s*\[[^\]]*{quoted}"
    alone = rf"{quoted}\s*[:,][^{{}}]*(?:\{{[^{{}}]*)?[\"']required[\"']\s*:\s*[tT]rue"
    return re.search(f"{listed}|{alone}", text) is not None


def _step_fields(request: LMRequest, ask: Ask | None) -> tuple[str, str, str]:
    """The names that the request has for thought, tool and args."""
    if ask and plain_name(ask.dialect) == REACT_TEXT:
        labels = labels_of(ask.dialect)
        return labels.thought, labels.action, labels.action_input
    return step_names(output_fields(request.system_text))


def _find_remarks(text: str, fields: tuple[str, ...], field: str, length: int) -> Iterator[str]:
    """What follows each mention of the field, up to the mention of another."""
    # A name may begin another one.
    names = "|".join(sorted(fields, key=len, reverse=True))
    mentions = list(re.finditer(rf"(?<!\w)(?:{names})(?!\w)", text))
    ends = [following.start() for following in mentions[1:]] + [len(text)]
    # A request that names none of the fields has an end and no mention.
    for mention, end in zip(mentions, ends, strict=False):
        if mention[0] == field:
            yield text[mention.end() : min(end, mention.end() + length)]


def _find_lists(remark: str) -> Iterator[frozenset[str]]:
    for pattern in (_ROW, _UNION, _BRACES):
        for found in pattern.finditer(remark):
            yield frozenset(re.findall(_WORD, re.sub(r"\b(?:or|and)\b", ",", found["names"])))
    for found in _BULLETS.finditer(remark):
        yield frozenset(bullet["name"] for bullet in _BULLET.finditer(found["lines"]))


def _cut_descriptions(items: str) -> str:
    """Numbered lines without their descriptions, which may quote other names."""
    return "\n".join(line.partition("(")[0] for line in items.splitlines())


def _list_arguments(parameters: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    properties = parameters.get("properties")
    for name, schema in (properties if isinstance(properties, dict) else {}).items():
        if not isinstance(schema, dict):
            continue
        nested = list(_list_arguments(schema))
        # Of an object, what it holds counts; how it is called is the prompt's affair.
        yield from nested or [(name, schema)]


def _shows_argument(text: str, name: str, schema: JsonObject, others: set[str]) -> bool:
    for found in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text):
        before, after = text[: found.start()].split(), text[found.end() : found.end() + _SHORT]
        if others:
            after = re.split(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(others)))})(?!\w)", after)[0]
        if all(
            _has_words(after, words) or _has_words(" ".join(before[-1:]), words) for words in _list_type_words(schema)
        ):
            return True
    return False


def _has_words(text: str, words: str) -> bool:
    return re.search(rf"(?<![A-Za-z])(?:{words})(?![A-Za-z])", text, re.IGNORECASE) is not None


def _list_type_words(schema: JsonObject) -> list[str]:
    kinds = [schema.get("type")]
    items = schema.get("items")
    if isinstance(items, dict):
        kinds.append(items.get("type"))
    return [_TYPE_WORDS[kind] for kind in kinds if isinstance(kind, str) and kind in _TYPE_WORDS]


def _describe_type(schema: JsonObject) -> str:
    items = schema.get("items")
    return f"{schema.get('type')} of {items.get('type')}" if isinstance(items, dict) else str(schema.get("type"))
