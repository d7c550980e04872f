"""Texts that parsers stumble over, sorted by what is odd about them (ERR-010, PRS-001)."""

from collections.abc import Mapping

#: A name for each kind, and its texts.
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
