"""Holds features, registry and step definitions together."""
