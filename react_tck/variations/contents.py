"""What is in texts and fields."""

from pydantic import JsonValue

from react_tck.variations import changes, earlier, marks
from react_tck.variations.exclusions import CALLED, DIALECT_SAID, EVERYWHERE, INPUTS_SAID, LOADED, PLAYED_OTHERWISE
from react_tck.variations.variation import Exclusion, Settled, Variation


def _add_output(name: str, field: str, annotation: str, value: JsonValue) -> Variation:
    return Variation(
        name,
        f"The signature has one more output, {field}: {annotation}.",
        only=CALLED,
        exclusions=(
            *EVERYWHERE,
            Exclusion(
                "sentences say all outputs, those of a submit among calls too, or that nothing of them is shown",
                ("SIG-", "TRN-015"),
                "prediction has|asks for|produces|shows nothing of|the outputs|not to be generated|well-formed",
            ),
            Exclusion(
                "the last field is contradicted by a text, which no other type takes", sentence="contradicted-field"
            ),
        ),
        needs=("typed-fields",),
        change_episode=changes.add_output(field, annotation, value),
    )


def _add_input(name: str, field: str, annotation: str, value: JsonValue) -> Variation:
    return Variation(
        name,
        f"The signature has one more input, {field}: {annotation}.",
        only=CALLED,
        exclusions=(*EVERYWHERE, INPUTS_SAID),
        needs=("typed-fields",),
        change_episode=changes.add_input(field, annotation),
        change_call=changes.give_input(field, value),
    )


def _give(name: str, sentence: str, text: str, *exclusions: Exclusion, settles: tuple[Settled, ...] = ()) -> Variation:
    return Variation(
        name,
        f"{sentence}.",
        only=CALLED,
        exclusions=(*EVERYWHERE, *exclusions),
        settles=("text", *settles),
        given_text=text,
    )


_FORM_SAID = Exclusion(
    "sentences say in which form the signature is given", ("SIG-",), "class|value|arrow|instructions"
)
VARIATIONS: tuple[Variation, ...] = (
    Variation(
        "foreign marks",
        "Inputs, thoughts, results and answers end with marks of dialects that the subject doesn't claim.",
        only=CALLED,
        exclusions=EVERYWHERE,
        has_foreign_marks=True,
    ),
    Variation(
        "other marks",
        "Texts of inputs, tools and the LM end with marks of the dialects, but JSON, that no reply is asked for in.",
        only=CALLED,
        exclusions=(*EVERYWHERE, DIALECT_SAID),
        settles=("text",),
        has_other_marks=True,
    ),
    _give(
        "long texts",
        "Inputs and results end with ten thousand characters",
        ", ".join(["and so on"] * 910),
        Exclusion("sentences say how long a text is", sentence="characters|fit"),
    ),
    _give(
        "odd texts",
        "Inputs and results end with combining, right-to-left and blank characters and line ends of Windows",
        "e\u0301 \u202eabc\u202c \u05e9\u05dc \u00a0\u3000 \U0001f469\u200d\U0001f680 one\r\ntwo\ttwo",
        # Nobody says how they are written where a result is no text.
        settles=("tools",),
    ),
    _give("given marks", "Inputs and results end with marks of all dialects but JSON", marks.list_all_marks()),
    _add_output("nested output", "counts", "dict[str, list[int]]", {"a": [1, 2], "b": []}),
    _add_output("union output", "found", "dict[str, int] | list[int]", [1, 2]),
    _add_output("null output", "remark", "int | None", None),
    _add_output("false output", "accepted", "bool", False),
    _add_input("optional input", "hint", "list[str] | None", None),
    Variation(
        "own instructions",
        "The signature is a class with instructions of its own.",
        only=CALLED,
        exclusions=(*EVERYWHERE, _FORM_SAID),
        settles=("signature",),
        needs=("class-signature",),
        change_episode=changes.give_instructions("Answer as the keeper of a lighthouse would."),
    ),
    Variation(
        "described fields",
        "The signature is a class that describes each of its fields.",
        only=CALLED,
        exclusions=(*EVERYWHERE, _FORM_SAID),
        settles=("signature",),
        needs=("class-signature",),
        change_episode=changes.describe_fields("as the log of the lighthouse has its {}"),
    ),
    Variation(
        "image input",
        "The signature, which is a class, has one more input, an image.",
        only=r"^a transcript ReAct over",
        exclusions=(PLAYED_OTHERWISE, LOADED),
        needs=("image-inputs", "class-signature"),
        change_episode=changes.add_image_input("photo"),
        change_call=changes.give_input("photo", earlier.RED_DOT),
    ),
)
