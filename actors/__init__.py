"""The Ray Serve deployments, one per file: thin shells over plain classes that do not depend on Ray."""
