"""Keeps what subjects print and log from getting between the kit's own lines."""

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout


@contextmanager
def silenced() -> Iterator[None]:
    """Whatever is printed or logged in the meantime is dropped: it is no evidence, and there is much of it."""
    logging.disable(logging.CRITICAL)
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            yield
    finally:
        logging.disable(logging.NOTSET)
