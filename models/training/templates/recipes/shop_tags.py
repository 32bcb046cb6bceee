"""What Cartridge's templates load from it, for the facts of the document that is drawn."""

from decimal import Decimal
from importlib import import_module
from typing import Any

from models.training.templates.facts import Facts

# The facts of the documents so far; the last are those of the one that is drawn.
FACTS: list[Facts] = []
register = import_module("django.template").Library()


@register.filter  # type: ignore[untyped-decorator, unused-ignore]
def currency(value: Decimal) -> str:
    """An amount as the document prints it."""
    return FACTS[-1].money(value)


@register.inclusion_tag("shop/includes/order_totals.html")  # type: ignore[untyped-decorator, unused-ignore]
def order_totals() -> dict[str, Any]:
    """The sums below the items."""
    facts = FACTS[-1]
    return {
        "item_total": facts.subtotal, "discount_total": facts.discount, "discount_type": "", "tax_total": facts.tax,
        "tax_type": facts.tax_name, "shipping_type": "", "shipping_total": facts.shipping, "order_total": facts.total,
    }  # fmt: skip
