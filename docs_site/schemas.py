"""The JSON Schemas that are installed with the kit, a page each."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from docs_site.markdown import fenced, page, prose, table
from react_tck.model.schemas import schema_texts


def schema_pages() -> dict[str, str]:
    """Each with the fields of its parts as tables, and as it is."""
    texts = schema_texts()
    listed = "\n".join(f"- [`{name}`](schemas/{name}.md)" for name in texts)
    told = "They are installed as `react_tck/schemas/`, and made of the kit's own types."
    pages = {f"reference/schemas/{name}.md": _page(name, text) for name, text in texts.items()}
    return {"reference/schemas.md": page("JSON Schemas", told, listed), **pages}


def _page(name: str, text: str) -> str:
    schema = json.loads(text)
    return page(
        f"`{name}`",
        prose(str(schema.get("description", ""))),
        *_fields(schema),
        *(
            block
            for part, inner in schema.get("$defs", {}).items()
            for block in (f"## {part}", prose(str(inner.get("description", ""))), *_fields(inner))
        ),
        "## As it is",
        fenced(text, "json"),
    )


def _fields(schema: Mapping[str, Any]) -> Iterator[str]:
    required = schema.get("required", [])
    if rows := [
        (f"`{name}`", _type(field), "required" if name in required else "", prose(str(field.get("description", ""))))
        for name, field in schema.get("properties", {}).items()
    ]:
        yield table(("field", "type", "", ""), rows)
    elif "enum" in schema:
        yield f"One of {', '.join(f'`{each}`' for each in schema['enum'])}."


def _type(field: Mapping[str, Any]) -> str:
    if "$ref" in field:
        part = str(field["$ref"]).rpartition("/")[2]
        return f"[{part}](#{part.lower()})"
    if "const" in field:
        return f"`{json.dumps(field['const'])}`"
    if "enum" in field:
        return ", ".join(f"`{json.dumps(each)}`" for each in field["enum"])
    if members := field.get("anyOf") or field.get("oneOf"):
        return " or ".join(dict.fromkeys(_type(each) for each in members))
    match field.get("type"):
        case "array":
            return f"list of {_type(field['items'])}" if isinstance(field.get("items"), dict) else "list"
        case str(named):
            return named
    return "any"
