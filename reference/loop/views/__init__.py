"""Pure views of a loop's entries: the trajectory, the transcript and the conversation."""
