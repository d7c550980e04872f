"""What is langchain's own in an agent of either of its packages: the model."""

from typing import Any

import react_tck


def chat_model(lm: react_tck.LM) -> Any:
    """Return the episode's LM, which is asked as often as langchain's users' is."""
    from langchain_openai import ChatOpenAI
    from openai import DEFAULT_MAX_RETRIES

    client = lm.client().with_options(max_retries=DEFAULT_MAX_RETRIES)
    async_client = lm.async_client().with_options(max_retries=DEFAULT_MAX_RETRIES)
    return ChatOpenAI(
        model=lm.model,
        api_key=lm.api_key,
        root_client=client,
        client=client.chat.completions,
        root_async_client=async_client,
        async_client=async_client.chat.completions,
    )
