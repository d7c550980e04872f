"""Every row of the features as a test."""

from pytest_bdd import scenarios

scenarios(".")
