"""Made-up packages of a library called toy-react, and places to install them from without a network.

Release 2 of it loses the thoughts of an agent's steps.
"""

from pathlib import Path
from zipfile import ZipFile


def wheel(folder: Path, name: str, version: str, code: str) -> None:
    """A wheel with one module."""
    module = name.replace("-", "_")
    information = f"{module}-{version}.dist-info"
    with ZipFile(folder / f"{module}-{version}-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{module}.py", code)
        archive.writestr(f"{information}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        archive.writestr(f"{information}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{information}/RECORD", "")
