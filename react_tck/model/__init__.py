"""The values the kit is about: signature, tool, case, intent, script, record, outcome, manifest.

Everything here is frozen and pure. The JSON Schemas of the protocol and of the report are generated
from these models (`react_tck.model.protocol`).
"""
