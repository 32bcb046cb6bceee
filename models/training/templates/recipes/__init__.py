"""How each template is fed. A recipe gives the facts to a package in the shape that it asks for, and nothing more."""

from models.training.templates.recipes import django, jinja, latex, national, npm, reports

__all__ = ["django", "jinja", "latex", "national", "npm", "reports"]
