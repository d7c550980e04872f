"""The shipped JSON Schemas are those of the models."""

from react_tck.model.schemas import FOLDER, schema_texts


def test_the_shipped_schemas_are_up_to_date() -> None:
    shipped = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
    assert shipped == schema_texts(), "run `make schemas`"
