"""The rules that records are held against."""
