"""What each harness of the kit's does otherwise than users of the library have it, and what can't be judged by that.

Where a deviation is a parameter, it stands in front as the call that sets it: `tests/subjects/test_deviations.py` finds
every parameter that a harness gives a library beside the task's own, and that isn't the library's default.
"""

from __future__ import annotations

from collections.abc import Mapping

Deviations = Mapping[str, "tuple[str, ...]"]

_DSPY: Deviations = {
    "LM(engine=…): dspy's own client is replaced by the kit's LM in this process; a provider's failure is the error "
    "that dspy has for it, and it is asked again at once, three times, as by default": (),
    "LM(async_engine=…): the same for asynchronous calls": (),
    "LM(cache=False): an episode that is played again has to ask again": (),
    "context(allow_tool_async_sync_conversion=True): dspy runs asynchronous tools in synchronous calls only for users "
    "who set this": (),
    "ChatAdapter(use_native_function_calling=True): in the dialect `native`, which users have to choose": (),
}
_OPENAI = "the client of OpenAI's SDK is made by the kit, and asks three times, as by default"
_CHAT_OPENAI: Deviations = {
    f"ChatOpenAI({name}=…): {_OPENAI}": () for name in ("root_client", "client", "root_async_client", "async_client")
}

#: By the name of the subject.
DEVIATIONS: Mapping[str, Deviations] = {
    "dspy": _DSPY,
    "dspy without engines": {
        **{what: unjudged for what, unjudged in _DSPY.items() if "engine" not in what},
        "LM(num_retries=0): dspy asks a failed provider once, where it asks up to four times by default": ("ERR-026",),
    },
    "dspy-v2": _DSPY,
    "machina": _DSPY,
    "udspy": {
        "OpenAILM(client=…): the client of OpenAI's SDK is made by the kit and asks once, where the SDK's asks three "
        "times; udspy's own three tries are as users have them": (),
        "tenacity.wait_exponential=…: udspy waits for nothing between its tries, where it waits three seconds": (),
    },
    "langchain": {
        **_CHAT_OPENAI,
        "ModelCallLimitMiddleware(exit_behavior='error'): where the steps run out it ends in a message by default": (),
    },
    "langchain-classic": {
        **_CHAT_OPENAI,
        "AgentExecutor(handle_parsing_errors=True): a reply that can't be read ends the call by default": (),
        "Tool(handle_tool_error=True): args that don't fit end the call by default": (),
    },
    "pydantic-ai": {
        f"OpenAIProvider(openai_client=…): {_OPENAI}": (),
        "Tool(takes_ctx=False): whether a tool takes a context is said, and not found out from its parameters": (),
    },
    "agno": {
        "Agent(telemetry=False): nothing is told to agno about a run": (),
    },
    "openai-agents": {
        "RunConfig(tracing_disabled=True): nothing is traced, for traces are sent to OpenAI": (),
        "OpenAIProvider(openai_client=…): each call has a client of its own, as by default else; the one that the "
        "library's providers share belongs to the event loop that used it first": (),
        "function_tool(strict_mode=False): of a tool that a strict schema can't describe, as its refusal tells": (),
        "AgentOutputSchema(strict_json_schema=False): the same of an answer": (),
    },
    "google-adk": {},
    "llama-index": {
        "OpenAILike(is_chat_model=True): by default it asks for the completion of one text, and not for a chat's": (),
        "each call has a client of its own; the agent's belongs to the event loop that used it first": (),
    },
    "smolagents": {
        f"OpenAIModel(client=…): {_OPENAI}": (),
        "OpenAIModel(retry=False): by default it asks again after a rate limit, a minute later and longer": (
            "ERR-012 [rate-limit]",
        ),
        "ToolCallingAgent(verbosity_level=-1): it prints nothing": (),
        "Tool.skip_forward_signature_validation=True: a tool's parameters aren't held against its `forward`": (),
    },
    "strands": {
        "Agent(retry_strategy=…): it asks a busy provider as often as by default": (),
        "ModelRetryStrategy(initial_delay=0): it waits for nothing between, where it waits 124 seconds": (),
    },
}
