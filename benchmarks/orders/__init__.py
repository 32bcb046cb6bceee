"""How often planted differences between invoices and purchase orders are found."""
