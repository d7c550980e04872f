"""Faults as a baseline knows them: a sentence without the values in it, which another seed or another row changes."""

import re

#: What stands in the place of a value.
_VALUE = "…"
#: A quotation, which may have been cut off; an apostrophe within a word begins none.
_QUOTATION = re.compile(r"""(?<!\w)(?:"(?:\\.|[^"\\])*(?:"|$)|'(?:\\.|[^'\\])*(?:'|$))""")
_INNERMOST = re.compile(r"\[[^][{}]*\]|\{[^][{}]*\}")
_CUT_OFF = re.compile(r"[\[{].*$")
_PLAIN = re.compile(r"(?<![\w-])-?\d[\d.]*(?:[eE][-+]?\d+)?(?![\w-])|\b(?:true|false|null|True|False|None)\b")


def fold_values(fault: str) -> str:
    """Return the fault with an ellipsis for each value: quotations, lists, objects, numbers, nonces.

    >>> from react_tck.gate.faults import fold_values
    >>> fold_values("the next LM request shows 'add result 1 ~cbc73235'")
    'the next LM request shows …'
    >>> fold_values('Then the tool "add" ran with {"a": [2]}, or not at all')
    'Then the tool … ran with …, or not at all'
    """
    text = _QUOTATION.sub(_VALUE, fault)
    while (inner := _INNERMOST.sub(_VALUE, text)) != text:
        text = inner
    return _PLAIN.sub(_VALUE, _CUT_OFF.sub(_VALUE, text))
