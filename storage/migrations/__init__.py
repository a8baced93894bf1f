"""The schema, a numbered SQL file a version; see :mod:`storage.schema` for the rules."""
