"""Given: a signature whose fields are written one by one."""

import json

from pytest_bdd import given

from react_tck.model.base import JsonObject
from react_tck.model.signature import Field, Form, Signature, render_arrow
from react_tck.steps.arrange import CAPABILITIES
from react_tck.steps.language import sentence
from react_tck.steps.world import World

#: How an arrow string would write the type, for subjects that know no other form.
_ANNOTATIONS: dict[str, str] = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "array": "list",
    "object": "dict",
}


@given(sentence("a ReAct over the {form:Form} with these fields:"))
def react_with_fields(world: World, form: Form, datatable: list[list[str]]) -> None:
    """A row a field: its name, whether input or output, its JSON Schema, its description."""
    world.needs(CAPABILITIES[form])
    rows = [dict(zip(datatable[0], row, strict=True)) for row in datatable[1:]]
    inputs, outputs = (tuple(_field(row) for row in rows if row["kind"] == kind) for kind in ("input", "output"))
    if not all(field.is_text for field in (*inputs, *outputs)):
        world.needs("typed-fields", "nested-fields")
    arrow = render_arrow(inputs, outputs)
    world.arrangement.signature = Signature(form=form, arrow=arrow, inputs=inputs, outputs=outputs)


def _field(row: dict[str, str]) -> Field:
    schema: JsonObject = json.loads(row["schema"])
    annotation = _ANNOTATIONS.get(str(schema.get("type")), "str")
    return Field(name=row["field"], annotation=annotation, json_schema=schema, description=row["description"])
