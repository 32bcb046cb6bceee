"""Documents in third-party layouts: invoice generators and templates from package registries, fed with made-up facts.

Packages are installed into a folder under `build/` and run at training time only; none of their code is in the project.
"""
