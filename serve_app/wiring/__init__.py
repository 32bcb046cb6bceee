"""The only place that builds the services and their dependencies: one module for each noun."""
