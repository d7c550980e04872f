"""A Technology Compatibility Kit for ReAct agents."""

__version__ = "0.1.0"
