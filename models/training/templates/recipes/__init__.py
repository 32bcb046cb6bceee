"""How each template is fed. A recipe only gives a package the facts in the shape that it needs."""

from models.training.templates.recipes import django, jinja, latex, national, npm, reports

__all__ = ["django", "jinja", "latex", "national", "npm", "reports"]
