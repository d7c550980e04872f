"""What a harness finds in its environment, and what it can't find in the kit's memory."""

import ctypes
import os
import re
from collections.abc import Iterable
from functools import cache

#: What programs and their languages need to run at all; the rest of the environment is none of a harness's business.
_PASSED = re.compile(
    r"PATH|HOME|USER|LOGNAME|SHELL|PWD|TERM|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TEMP|TMP|CI|XDG_\w+|SSL_CERT_\w+|"
    r"LD_LIBRARY_PATH|DYLD_\w+|SYSTEMROOT|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|"
    r"(?:HTTPS?|ALL|NO)_PROXY|(?:https?|all|no)_proxy|"
    r"(?:PYTHON|VIRTUAL_ENV|CONDA|PYENV|UV|NODE|NVM|NPM|DENO|BUN|GO|CARGO|RUST|RUSTUP|JAVA|JDK|M2|MAVEN|GRADLE|"
    r"KOTLIN|DOTNET|NUGET|RUBY|RBENV|GEM|BUNDLE|ELIXIR|ERL|MIX|HEX|PERL|PHP|COMPOSER|LUA|OPAM|GHC|CABAL|STACK|"
    r"DART|FLUTTER|SWIFT|ASDF|MISE|NIX|REACT_TCK)\w*"
)
_SECRET = re.compile(r"key|token|secret|passw|credential|auth|^BUNDLE_\w+__", re.IGNORECASE)  # Bundler's by their host
#: Who one is in an address, of a proxy or of an index of packages.
_USER = re.compile(
    r"(?P<scheme>(?<![\w+.-])[a-z][\w+.-]*://|//|^)(?P<name>[^\s/?#:@]*)(?P<password>:[^\s/?#]*)?@", re.IGNORECASE
)
#: A secret among the options of a program, such as Java's.
_OPTION = re.compile(
    r"((?<![\w.-])[\w.-]*(?:api[-_]?key|token|secret|passw|credential)[\w.-]*=)[^\s&;]+", re.IGNORECASE
)
#: No proxy stands between a harness and the kit.
_HERE = ("127.0.0.1", "localhost")
_PR_SET_DUMPABLE = 4


def build_environment(more: Iterable[str] = ()) -> dict[str, str]:
    """Return what a harness needs of our environment, without likely secrets; `more` as NAME or NAME=value."""
    passed = {name: value for name, value in os.environ.items() if _PASSED.fullmatch(name) and not _SECRET.search(name)}
    made = {name: _OPTION.sub(r"\1", _USER.sub(_drop_user, value)) for name, value in passed.items()}
    for entry in more:
        name, says, value = entry.partition("=")
        if says or name in os.environ:
            made[name] = value if says else os.environ[name]
    for name in ("NO_PROXY", "no_proxy"):
        made[name] = ",".join(dict.fromkeys([*made.get(name, "").split(","), *_HERE])).strip(",")
    return made


def _drop_user(found: re.Match[str]) -> str:
    """Return the scheme alone; but a name without a password tells nothing, unless it is a token, as HTTP's can be."""
    is_told = found["password"] or found["scheme"].lower().startswith("http")
    return found["scheme"] if is_told else found[0]


@cache
def hide_own_memory() -> None:
    """Let no process of the user's read our memory, where the script stands; Linux can. A debugger then needs root."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
