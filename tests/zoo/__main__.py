"""`python -m tests.zoo`: writes what becomes of the zoo's kinds into docs/ROBUSTNESS.md, from the tests' tables."""

from tests.zoo.document import PATH, rewrite

PATH.write_text(rewrite(PATH.read_text(encoding="utf-8")), encoding="utf-8")
