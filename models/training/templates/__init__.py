"""Documents in layouts of other people: invoice generators and templates of package registries, fed with made-up facts.

Packages are installed into a folder under `build/` and run at training time only; nothing of them is in the project.
"""
