"""The documentation as a site: `make docs`, or `python -m docs_site`, writes it to build/docs.

What is written by hand stays where its readers on the repository look for it, and finds its place here; reference
pages are made of what they are about: the registry, the forms, the commands, the schemas.
"""
