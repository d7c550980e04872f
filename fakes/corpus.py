"""The corpus for parsers: odd texts, fields with odd values, and texts near a dialect's grammar; all by seeded chance.

Nothing here uses Hypothesis: a part drawn by it costs more than a whole text made here, and a parser is to be shown
thousands a second. `react_tck.fakes.strategies` has the same as strategies.
"""

from collections.abc import Callable, Mapping
from random import Random

from pydantic import JsonValue

from react_tck.dialects.labels import REACT_TEXT, plain_name
from react_tck.dialects.markup import can_carry, find_markup
from react_tck.fakes.malformed import FORMS, Draft
from react_tck.model.base import JsonObject

Schemas = Mapping[str, JsonObject]

#: Texts that parsers stumble over, by what is odd about them (ERR-010, PRS-001).
ODD_TEXTS: Mapping[str, tuple[str, ...]] = {
    "plain words": ("five", "It is 828 m high.", "a b  c"),
    "empty texts": ("",),
    "texts of other types": ("5", "-0.0", "true", "null", "None", "[]", "{}", '"quoted"', "NaN", "1e999"),
    "other scripts": (
        "naïve café",
        "漢字かな交じり文",
        "🙂👩‍👩‍👧",
        "e\u0301",
        "\u202eright to left",
        "ﬁ ligature",
        "\U0010ffff",
    ),
    "blank space around them": (" five", "five\n", "\tfive ", " "),
    "several lines": ("one\ntwo", "one\n\n\nthree", "- a\n  - b\n\tc"),
    "line breaks of other kinds": (
        "a\rb",
        "a\r\nb",
        "a\x0bb",
        "a\x0cb",
        "a\x1cb",
        "a\x1eb",
        "a\x85b",
        "a\u2028b",
        "a\u2029b",
    ),
    "control characters": ("a\x00b", "a\x07b", "a\x1b[0mb", "a\x7fb", "a\ufeffb", "a\u200bb"),
    "quotes and backslashes": ('say "hi"', "it's", "C:\\new\\table", "\\u0041", "\\\\", '\\"', "`code`", "'''"),
    "JSON": ('{"answer": "6"}', '[{"a": 1}, null]', '{"a": {"b": [1, 2', '```json\n{"answer": "6"}\n```'),
    "markup": ("<b>bold</b>", "a < b && c > d", "&lt;b&gt;", "&amp;lt;", "&#65;", "]]>", "<![CDATA[x]]>", "<!-- x -->"),
    "texts like marks": (
        "write [[ ## answer ## ]] there",
        "write [[ ## completed ## ]]",
        "write </answer><answer> there",
        "so: answer: 6",
        'and "answer": "6", too',
        "[[ # answer # ]]",
        "## answer ##",
    ),
    "names of fields": ("answer", "next_tool_name", "finish", "completed", "reasoning"),
    "long texts": ("word " * 4000 + "end", "x" * 20000, "é" * 5000),
}

#: Values that some language renders otherwise than they are, and whose: what a result, an arg or an input may lose.
LOST_VALUES: Mapping[str, tuple[JsonValue, str]] = {
    "small numbers": ([7, 8, 9], "Elixir's inspect writes a charlist"),
    "numbers of letters": ([72, 105], "Elixir's inspect writes 'Hi'"),
    "56 numbers": ([*range(1001, 1057)], "Elixir's inspect leaves out what comes after 50"),
    "120 numbers": ([*range(1001, 1121)], "Node's util.inspect leaves out what comes after 100"),
    "deep values": ({"a": {"b": {"c": {"d": ["e"]}}}}, "Node's util.inspect writes [Object]"),
    "empty values": ({"list": [], "object": {}, "text": ""}, "PHP writes {} as [], Go leaves out what is empty"),
    # `__proto__` isn't among them: to refuse it or leave it out is a protection.
    "keys of objects": ({"constructor": "b", "length": 3}, "JavaScript's objects have such keys"),
    "words for others": (["no", "null", "nil", "NaN", "0123", "1e3"], "YAML and PHP read other types"),
    "groups": ("left \\0 \\1 \\\\ \\g<0> right", "Ruby's gsub, Python's re.sub and sed put in what they found"),
    "dollars": ("left $& $1 $$ $` ${x} right", "JavaScript's replace, Java's replaceAll and Go's Expand do so"),
    "percent signs": ("left 100%s %d %% right", "printf, in every language"),
    "braces": ("left {} {0} {{x}} #{x} right", "Python's format, Rust's format!, Ruby's and Elixir's interpolation"),
}
LOST_TEXTS: tuple[str, ...] = tuple(value for value, _ in LOST_VALUES.values() if isinstance(value, str))

_SHORT = tuple(text for texts in ODD_TEXTS.values() for text in texts if len(text) < 100)
_SCALARS: tuple[JsonValue, ...] = (None, True, False, 0, -1, 2**53 + 1, 0.1, 1e-7, -1.5e300)
_BLANKS, _BLANK = (" ", "\n", "\t", "\xa0"), 0.1
#: How long a long text is, how deep a deep one nests, and how often they come.
_MANY, _DEPTH, _LONG = 200, 3000, 0.01
#: How often another value is tried before a plain one is taken.
_TRIES = 5
_TOKENS: Mapping[str, tuple[str, ...]] = {
    "chat": ("[[ ## ", " ## ]]", "\n", "[[ ## completed ## ]]", "[[", "]]", "##", "\n[[ ## answer ## ]]\n", " "),
    "json": ("{", "}", "[", "]", '"', ":", ",", "\\", "\\u", "null", "NaN", "-", "1e999", '"answer"', "```", "'"),
    "xml": (
        "<",
        ">",
        "</",
        "/>",
        "&",
        ";",
        "<answer>",
        "</answer>",
        "<![CDATA[",
        "]]>",
        "<!--",
        "-->",
        "<?x?>",
        "&lt;",
    ),
    REACT_TEXT: (
        *(":", "\n", "Thought: ", "\nAction: ", "\nAction Input: ", "Action 1:", "\nObservation: "),
        *("\nFinal Answer: ", "Final Answer", "Action", "{}", '{"', '"', "```", "finish"),
    ),
    "label": (":", "\n", "answer:", "\nanswer: ", "next_tool_name: ", " ", "Answer:", "-"),
}


def make_text(random: Random) -> str:
    """Return an odd text, or several in one, seldom with blank space around it."""
    parts = [random.choice(_SHORT) for _ in range(random.choice((1, 1, 1, 2, 3)))]
    made = random.choice(("", " ", "\n", ", ")).join(parts)
    made = made * _MANY if random.random() < _LONG else made
    return f"{made}{random.choice(_BLANKS)}" if random.random() < _BLANK else made


def make_value(random: Random, schema: JsonObject, depth: int = 0) -> JsonValue:
    """Return a value of the schema, as odd as can be."""
    if "enum" in schema and isinstance(members := schema["enum"], list):
        return random.choice(members)
    if isinstance(options := schema.get("anyOf"), list):
        # `null` in a field of text can't be told from the word.
        texts = [option for option in options if option == {"type": "string"}]
        chosen = random.choice(texts or options)
        return make_value(random, chosen if isinstance(chosen, dict) else {}, depth)
    return _OF_TYPE[str(schema.get("type"))](random, schema, depth)


def make_fields(random: Random, dialect: str, schemas: Schemas) -> JsonObject:
    """Return a value for every field, all of which the dialect can carry."""
    return {name: _make_field_value(random, dialect, schema) for name, schema in schemas.items()}


def near_reply(random: Random, dialect: str, schemas: Schemas) -> str:
    """Return a text near the dialect's grammar: a reply, broken in form, cut, spliced, repeated, or a soup of marks."""
    if random.random() < 0.1:
        return _mix_tokens(random, dialect)
    made = _make_reply(random, dialect, schemas)
    for _ in range(random.choice((0, 0, 1, 1, 2, 4))):
        made = random.choice(_CHANGES)(random, made, lambda: _make_reply(random, dialect, schemas), dialect)
    return made


def _make_reply(random: Random, dialect: str, schemas: Schemas) -> str:
    marks = find_markup(dialect)
    values = dict(marks.gather_outputs(make_fields(random, dialect, schemas)))
    draft = Draft(values, marks, random.choice(list(values)), random.random())
    return draft.text if random.random() < 0.5 else FORMS[random.choice(_FORMS)](draft)


def _make_field_value(random: Random, dialect: str, schema: JsonObject) -> JsonValue:
    for _ in range(_TRIES):
        made = make_value(random, schema)
        if can_carry(dialect, made):
            return made
    return _find_plain_value(schema)


def _find_plain_value(schema: JsonObject) -> JsonValue:
    """Return a value that every dialect can carry."""
    for name, of_type in _PLAIN.items():
        if schema.get("type") == name:
            return of_type
    members = schema.get("enum")
    return members[0] if isinstance(members, list) else None


def _make_any_value(random: Random, depth: int) -> JsonValue:
    if depth > 3 or random.random() < 0.6:
        return random.choice(_SCALARS) if random.random() < 0.4 else make_text(random)
    return _make_array(random, {}, depth) if random.random() < 0.5 else _make_object(random, {}, depth)


def _make_array(random: Random, schema: JsonObject, depth: int) -> JsonValue:
    items = schema.get("items")
    count = random.choice((0, 1, 2, 3))
    if isinstance(items, dict):
        return [make_value(random, items, depth + 1) for _ in range(count)]
    return [_make_any_value(random, depth + 1) for _ in range(count)]


def _make_object(random: Random, schema: JsonObject, depth: int) -> JsonValue:
    inner = schema.get("additionalProperties")
    count = random.choice((0, 1, 2, 3))
    if isinstance(inner, dict):
        return {make_text(random): make_value(random, inner, depth + 1) for _ in range(count)}
    return {make_text(random): _make_any_value(random, depth + 1) for _ in range(count)}


_FORMS = tuple(FORMS)
_PLAIN: Mapping[str, JsonValue] = {
    "string": "plain",
    "integer": 7,
    "number": 0.5,
    "boolean": True,
    "array": [],
    "object": {},
}
_OF_TYPE: Mapping[str, Callable[[Random, JsonObject, int], JsonValue]] = {
    "string": lambda random, _, __: make_text(random),
    "integer": lambda random, _, __: random.choice((0, 1, -7, 10**6, 2**53 + 1)),
    "number": lambda random, _, __: random.choice((0.5, -1.25, 1e-7, 1e300)),
    "boolean": lambda random, _, __: random.random() < 0.5,
    "array": _make_array,
    "object": _make_object,
    "null": lambda _, __, ___: None,
}

_Change = Callable[[Random, str, Callable[[], str], str], str]


def _mix_tokens(random: Random, dialect: str) -> str:
    if random.random() < _LONG * 5:
        return random.choice("[{") * _DEPTH
    tokens = (*_list_tokens(dialect), *random.sample(_SHORT, 5))
    return "".join(random.choice(tokens) for _ in range(random.randrange(30)))


def _list_tokens(dialect: str) -> tuple[str, ...]:
    name = plain_name(dialect)
    return _TOKENS["chat" if name == "machina" else name]


def _cut_text(random: Random, made: str, _: Callable[[], str], __: str) -> str:
    at = random.randrange(len(made) + 1)
    return made[:at] if random.random() < 0.7 else made[at:]


def _splice_texts(random: Random, made: str, other: Callable[[], str], _: str) -> str:
    second = other()
    return made[: random.randrange(len(made) + 1)] + second[random.randrange(len(second) + 1) :]


def _drop_part(random: Random, made: str, _: Callable[[], str], __: str) -> str:
    at = random.randrange(len(made) + 1)
    return made[:at] + made[at + random.choice((1, 2, 5, 20)) :]


def _repeat_part(random: Random, made: str, _: Callable[[], str], __: str) -> str:
    at = random.randrange(len(made) + 1)
    end = at + random.choice((1, 5, 20, 80))
    return made[:end] + made[at:end] * random.choice((1, 1, 3)) + made[end:]


def _insert_token(random: Random, made: str, _: Callable[[], str], dialect: str) -> str:
    at = random.randrange(len(made) + 1)
    return made[:at] + random.choice(_list_tokens(dialect)) + made[at:]


_CHANGES: tuple[_Change, ...] = (_cut_text, _splice_texts, _drop_part, _repeat_part, _insert_token)
