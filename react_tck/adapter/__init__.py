"""What a user's class is written against, and what drives it: the standard library alone, from Python 3.9 on.

In the kit's process it is driven directly. Under any other interpreter, in which the kit isn't installed, `serve.py`
drives it, and asks the kit by the route that the kit names.
"""
