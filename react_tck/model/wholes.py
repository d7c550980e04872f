"""Requirements of which judges see parts, while sentences alone say that they are violated."""

#: Async calls are as sync ones.
ASYNC = "ASY-001"
#: A step's request shows what the step before it led to, and the inputs.
SHOWN_NEXT, INPUTS_OF_STEPS = "LOOP-002", "STEP-003"
#: Each state of a conversation is told its fields.
STATES = "CNV-004"
#: A prediction has all outputs, as the LM gave them.
ALL_OUTPUTS = "EXT-002"
#: A result is shown unchanged.
UNCHANGED_RESULTS = "ERR-022"
#: To udspy the text beside a native call is its reasoning.
TEXTS_BESIDE_CALLS = "UDS-005"
