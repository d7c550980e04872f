"""What `import react_tck` gives: a class of yours as a subject, what it is handed, what it returns, and how it is run.

`react_tck` itself hands the names out, each when it is first used.
"""
