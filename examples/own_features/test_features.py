"""Every scenario of our features is a test."""

from pytest_bdd import scenarios

scenarios("features")
