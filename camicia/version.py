"""The one source of the version number."""

__version__ = "0.1.0"
