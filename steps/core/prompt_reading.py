"""Reads what a step request demands, in the spellings that adapters and ports have for it. Pure functions."""

import json
import re
from collections.abc import Iterator

from react_tck.dialects.field_lists import output_fields
from react_tck.dialects.fields import FINAL_ANSWER, FINISH, step_names
from react_tck.dialects.labels import REACT_TEXT, labels_of, plain_name
from react_tck.dialects.native import may_answer
from react_tck.model.base import JsonObject
from react_tck.model.lm import Ask, LMRequest
from react_tck.record.visibility import names_whole_word

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
#: Brackets may have their first name on a line of its own; a name with a remark behind it is none of a plain row.
_ROW = re.compile(
    rf"{_LEAD}\b(?:{_FILLER}|[^\w\n]*(?:(?<=[\[{{(])\s+)?)"
    rf"(?P<names>(?>{_PLAIN_NAME}(?:{_JOINT}{_PLAIN_NAME})*))(?![^\S\n]*[(:])"
)
_UNION = re.compile(rf"(?P<names>['\"]{_WORD}['\"](?:\s*\|\s*['\"]{_WORD}['\"])+)")
_BRACES = re.compile(rf"\{{(?P<names>{_PLAIN_NAME}(?:{_JOINT}{_PLAIN_NAME})*)\}}")
#: What an item of a list begins with; its name may be in bold type.
_MARK = r"(?:[-*•]|\(?\d+[.):]+)\s*\**"
#: An item may have lines of its own; the list ends before an empty line that no item of it follows.
_BULLETS = re.compile(
    rf"{_LEAD}\b[^\n]*\n\s*?(?P<lines>^(?P<indent>[^\S\n]*){_MARK}[`'\"]?\w[^\n]*"
    rf"(?:\n(?:[^\S\n]*\n)*(?P=indent){_MARK}[`'\"]?\w[^\n]*|\n[^\S\n]*\S[^\n]*)*)",
    re.MULTILINE,
)
_CONST = re.compile(rf"[\"']const[\"']\s*:\s*[\"'](?P<name>{_WORD})[\"']")
#: Names that are joined, or stand in lines of their own, whatever leads them in; a remark may follow each.
_REMARKED = rf"{_PLAIN_NAME}(?:[^\S\n]*\([^()\n]*\))?"
_JOINED = re.compile(rf"{_REMARKED}(?:{_JOINT}{_REMARKED})+")
_LINES = re.compile(rf"(?:^[^\S\n]*{_PLAIN_NAME}[^\S\n]*$\n?){{2,}}", re.MULTILINE)
_REMARK = re.compile(r"\([^()\n]*\)")
#: What sends the LM to a list that stands elsewhere: "one of the available functions".
_ELSEWHERE = re.compile(
    r"\b(?:(?:one|any) of|from|among)\s+"
    r"(?:(?:[\w-]+\s+){0,4}(?:tools|functions|actions|names|options|values|choices|list)|these|those|them)\b"
    r"|\b(?:available|listed|existing|given|allowed|valid|known)\s+(?:tool|function|action)\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?]\s|\n")

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
    remarks = _find_remarks(_read_text(request), fields, fields[1], _LONG)
    return [names.union(answer) for remark in remarks for names in _find_lists(remark)]


def may_constrain_tools(request: LMRequest, names: frozenset[str], ask: Ask | None = None) -> bool:
    """Whether what is said of the field that names the tool allows just these names, in a form that has no lead.

    Or it sends the LM to a list that stands elsewhere: then the request has to name each of them.
    """
    fields = _step_fields(request, ask)
    for said in _find_sentences(_read_text(request), fields, fields[1]):
        if names in _find_bare_lists(said):
            return True
        if _ELSEWHERE.search(said) and all(names_whole_word(request.text, name) for name in names):
            return True
    return False


def lists_tool(text: str, name: str) -> bool:
    """Whether the text has the name where a list of tools has one: behind a number or a bullet, or in quotes."""
    return re.search(rf"(?:^\s*{_MARK}|[`'\"]){re.escape(name)}(?!\w)", text, re.MULTILINE) is not None


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
    quoted, typed = rf"[\"'`]{name}[\"'`]", rf"(?<![\w.*]){name}\s*[:=]"
    listed = rf"[(\[{{,:]\s*{name}\s*[,)]"
    return re.search(f"{quoted}|{typed}|{listed}", text) is not None


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


def _read_text(request: LMRequest) -> str:
    """All that the LM gets to read, and the JSON Schema that its reply has to fit, with its references resolved."""
    schema = request.answer_schema or {}
    written, defined = json.dumps(schema), schema.get("$defs")
    for name, inner in defined.items() if isinstance(defined, dict) else ():
        written = written.replace(f'"$ref": "#/$defs/{name}"', json.dumps(inner)[1:-1])
    return f"{request.text}\n{written}" if schema else request.text


def _find_remarks(text: str, fields: tuple[str, ...], field: str, length: int) -> Iterator[str]:
    """What follows each mention of the field, up to the mention of another."""
    for start, end in _find_mentions(text, fields, field):
        yield text[start : min(end, start + length)]


def _find_sentences(text: str, fields: tuple[str, ...], field: str) -> Iterator[str]:
    """What is said around each mention of the field: the sentence up to it, and what follows in its paragraph."""
    for start, end in _find_mentions(text, fields, field):
        before = _SENTENCE_END.split(text[max(0, start - _SHORT) : start])[-1]
        yield before + _BLANK_LINE.split(text[start : min(end, start + _LONG)])[0]


def _find_mentions(text: str, fields: tuple[str, ...], field: str) -> Iterator[tuple[int, int]]:
    """Where each mention of the field ends, and where the next of any field begins."""
    # A name may begin another one.
    names = "|".join(sorted(fields, key=len, reverse=True))
    mentions = list(re.finditer(rf"(?<!\w)(?:{names})(?!\w)", text))
    ends = [following.start() for following in mentions[1:]] + [len(text)]
    # A request that names none of the fields has an end and no mention.
    for mention, end in zip(mentions, ends, strict=False):
        if mention[0] == field:
            yield mention.end(), end


def _find_lists(remark: str) -> Iterator[frozenset[str]]:
    for pattern in (_ROW, _UNION, _BRACES):
        for found in pattern.finditer(remark):
            yield frozenset(re.findall(_WORD, re.sub(r"\b(?:or|and)\b", ",", found["names"])))
    for found in _BULLETS.finditer(remark):
        bullets = re.finditer(rf"^{found['indent']}{_MARK}{_NAME}", found["lines"], re.MULTILINE)
        yield frozenset(bullet["name"] for bullet in bullets)
    if constants := frozenset(_CONST.findall(remark)):
        yield constants


def _find_bare_lists(said: str) -> Iterator[frozenset[str]]:
    """Names that are joined by commas or strokes, or stand in lines of their own, whatever leads them in."""
    for pattern in (_JOINED, _LINES):
        for found in pattern.finditer(said):
            yield frozenset(re.findall(_WORD, re.sub(r"\b(?:or|and)\b", ",", _REMARK.sub("", found[0]))))


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
