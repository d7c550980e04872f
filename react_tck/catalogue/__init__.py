"""What there is to be tested: features, the registry of requirements, sentences, and which of them a run is about."""
