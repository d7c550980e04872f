"""Adds to a wheel what is made of the kit's own types: the JSON Schemas. All else of the build is in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

sys.path.insert(0, str(Path(__file__).parent))  # a build backend doesn't look where it builds

from react_tck.model.protocol import schema_texts


class BuildWithSchemas(build_py):
    """Write the schemas beside the package's modules; in an editable install there is nothing to write them into."""

    def run(self) -> None:
        """Build."""
        super().run()
        if self.editable_mode:
            return
        folder = Path(self.build_lib, "react_tck", "schemas")
        folder.mkdir(exist_ok=True)
        for name, text in schema_texts().items():
            (folder / name).write_text(text, encoding="utf-8")


setup(cmdclass={"build_py": BuildWithSchemas})
