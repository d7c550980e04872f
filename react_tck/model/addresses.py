"""What differs from play to play by design, in texts that are to be the same."""

import re
from typing import Annotated

from pydantic import AfterValidator

#: Where an object stands in memory, as Python puts it into texts; the path and the key of an episode's lane, and where
#: the kit's server listens.
_ADDRESS = re.compile(
    r"\b0x[0-9a-fA-F]{6,}\b"
    r"|(?:https?://)?(?:127\.0\.0\.1|localhost)\b['\"]?(?::|, ?(?:port[=: ]*)?)\d+(?:/[\w-]{22}(?![\w-]))?"
    r"|/[\w-]{22}(?=/(?:v1|tools)\b)"
    r"|\btck-[\w-]{22}(?![\w-])"
    r"|\bport[=: ]+\d+"
)
_SOMEWHERE = "(an address)"


def without_addresses(text: str) -> str:
    """Return the text, with a word for each of them."""
    return _ADDRESS.sub(_SOMEWHERE, text)


def _as_utf8(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


#: What a subject may have said: half a surrogate pair in it is written as an escape, for JSON and UTF-8 have none.
Said = Annotated[str, AfterValidator(_as_utf8)]
#: What was seen of a play, and is to be the same in the next.
Seen = Annotated[Said, AfterValidator(without_addresses)]
