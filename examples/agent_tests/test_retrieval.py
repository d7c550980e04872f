"""A program that looks up what the LM is to read: by embeddings, on Azure."""

from typing import Any

from openai import AzureOpenAI

from react_tck import ScriptedLM

NOTES = ("The library opens at nine.", "In Rome it is hot: 31 degrees.", "Cats sleep most of the day.")


def answer(question: str, notes: tuple[str, ...], client: AzureOpenAI) -> str:
    """Return what the LM makes of the note that is nearest to the question."""
    made = client.embeddings.create(model="embedder", input=[question, *notes], dimensions=256).data
    asked, *vectors = (each.embedding for each in made)
    nearness = [sum(a * b for a, b in zip(asked, vector, strict=True)) for vector in vectors]
    nearest = notes[nearness.index(max(nearness))]
    messages: Any = [{"role": "system", "content": f"Answer from: {nearest}"}, {"role": "user", "content": question}]
    return client.chat.completions.create(model="writer", messages=messages).choices[0].message.content or ""


def test_the_lm_is_given_the_note_that_matters(scripted_lm: ScriptedLM) -> None:
    lm = scripted_lm()
    lm.says("31 degrees.")

    client = AzureOpenAI(azure_endpoint=lm.root_url, api_key=lm.api_key, api_version="2024-10-21")

    assert answer("How hot is it in Rome?", NOTES, client) == "31 degrees."
    assert lm.requests[0].system_text == "Answer from: In Rome it is hot: 31 degrees."
    assert lm.headers[-1]["api-key"] == lm.api_key
