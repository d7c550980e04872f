"""Calls that wait for a person (S3): suspended as values, responded to, and resumed anywhere."""

from react_tck.reference.confirmation.response import CLARIFY, Decision, read_response
from react_tck.reference.confirmation.suspension import (
    CONFIRMATIONS,
    ConfirmationRequired,
    Confirmations,
    ResponseRefused,
    Status,
    WaitingCall,
    get_confirmation_status,
)

__all__ = [
    "CLARIFY",
    "CONFIRMATIONS",
    "ConfirmationRequired",
    "Confirmations",
    "Decision",
    "ResponseRefused",
    "Status",
    "WaitingCall",
    "get_confirmation_status",
    "read_response",
]
