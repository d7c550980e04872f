"""What a reply says that doesn't come to its end, over every door."""

#: The LM runs out of tokens in the middle of a sentence.
CUT_TEXT = "This reply would have gone on to say what is to be done next, but it is cut off right in the mid"
