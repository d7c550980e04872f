"""The signatures of the four modules, made from the user's."""
