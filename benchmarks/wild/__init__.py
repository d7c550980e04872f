"""Subjects that go wild by a seed: they crash, hang, babble and come late, and nothing of it may be lost."""
