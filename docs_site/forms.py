"""The malformed forms of an LM's reply, each as it is in every dialect."""

from collections.abc import Iterator
from typing import get_args

from docs_site.markdown import fenced, page
from react_tck.fakes.malformed.forms import list_samples
from react_tck.fakes.malformed.reading import requirement_of
from react_tck.model.intent import GarbledForm


def form_page() -> str:
    """Each form, the requirements that it is held against, and its literal texts."""
    told = (
        "What the scripted LM says where a scenario has a reply garbled. Where it may be read, a reading is right that "
        "gives what was meant; any other reading is a guess."
    )
    return page("Malformed replies", told, *(block for form in get_args(GarbledForm) for block in _form(form)))


def _form(form: GarbledForm) -> Iterator[str]:
    yield f"## {form}"
    step, answer = requirement_of(form, "step"), requirement_of(form, "extraction")
    yield f"As a step [{step}](requirements/{step}.md), as an answer [{answer}](requirements/{answer}.md)."
    for sample in list_samples(form):
        read = "may be read as it is meant" if sample.may_be_read else "any reading would be a guess"
        yield f"**{sample.dialect}**, {sample.meant}: {read}"
        yield fenced(sample.text or "(nothing)")
