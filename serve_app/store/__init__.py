"""Durable state: the interface in the domain's language, its implementations, and the files of documents."""
