"""Subjects: the protocol they speak, and the built-in ones.

A built-in subject's library is imported when it is constructed, never before.
"""
