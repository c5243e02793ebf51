"""One module a language, each with a LANGUAGE that says how it is read."""
