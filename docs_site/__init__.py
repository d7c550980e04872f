"""The documentation as a site: `make docs`, or `python -m docs_site`, writes it to build/docs.

What is written by hand lies there as it lies in the repository. Reference pages are made of what they are about: the
registry, the sentences, the commands, the schemas; and results of the reports that lie in the tree.
"""
