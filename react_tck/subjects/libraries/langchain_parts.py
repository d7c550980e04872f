"""What is langchain's own in an agent of either of its packages: the model."""

from typing import Any

import react_tck


def chat_model(lm: react_tck.LM) -> Any:
    """The episode's LM, which is asked once."""
    from langchain_openai import ChatOpenAI

    client, async_client = lm.client(), lm.async_client()
    return ChatOpenAI(
        model=lm.model,
        api_key=lm.api_key,
        max_retries=0,
        root_client=client,
        client=client.chat.completions,
        root_async_client=async_client,
        async_client=async_client.chat.completions,
    )
