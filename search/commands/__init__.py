"""The `camicia` command, a module a command."""
