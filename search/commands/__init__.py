"""The commands of `camicia`, a module each. Only these print: results on stdout, all else on stderr.

A command module has `NAME`, `DESCRIPTION`, `add_arguments(parser)`, and `run(arguments)`, which returns the
exit code.
"""
