"""What a page of the kit's holds packed, read as its script reads it."""

import re
import zlib
from base64 import b64decode
from itertools import accumulate


def unpacked(text: str) -> dict[str, str]:
    """The articles by their names."""
    found = re.search(r'<script type="text/plain" id="packed">(.*?)</script>', text, re.DOTALL)
    assert found
    index, lines = zlib.decompress(b64decode(found[1])).decode().split("\f")
    known = lines.split("\n")
    articles = (line.split(" ") for line in index.splitlines())
    return {name: "\n".join(known[number] for number in accumulate(map(int, at.split(",")))) for name, at in articles}
