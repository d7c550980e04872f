"""Calls that wait for a person (S3): suspended as values, responded to, and resumed anywhere."""

from react_tck.reference.confirmation.suspension import (
    CLARIFY,
    CONFIRMATIONS,
    ConfirmationRequired,
    Confirmations,
    Decision,
    ResponseRefused,
    Status,
    ToolCall,
    WaitingCall,
    get_confirmation_status,
    read_response,
)

__all__ = [
    "CLARIFY",
    "CONFIRMATIONS",
    "ConfirmationRequired",
    "Confirmations",
    "Decision",
    "ResponseRefused",
    "Status",
    "ToolCall",
    "WaitingCall",
    "get_confirmation_status",
    "read_response",
]
