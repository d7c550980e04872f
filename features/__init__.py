"""The specification: feature files, and the registry of requirements. `pytest features` plays them."""
