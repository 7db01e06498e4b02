"""Facts shipped with the package: the known record deals."""
