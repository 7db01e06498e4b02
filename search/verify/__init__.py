"""Check a ledger: repeat units, compare the sums with them, and replay finds by the rules."""

from search.verify.checking import Check, other_kernel, read_check, run_check

__all__ = ["Check", "other_kernel", "read_check", "run_check"]
