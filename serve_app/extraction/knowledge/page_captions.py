"""The captions of pages that the service lays out itself, of electronic invoices."""

from serve_app.extraction.knowledge.entries import Entry


class PageCaptions(Entry):
    """A caption for each value of such a page, spelled as documents in the language print it. `tax` is the tax itself;
    `tax_of` joins its rate and its base ("VAT 19 % of 100.00"). `seller`, `buyer` and `ship_to` head addresses."""

    invoice: str
    credit_note: str
    seller: str
    buyer: str
    ship_to: str
    payee: str
    tax_representative: str
    invoice_number: str
    credit_note_number: str
    issue_date: str
    due_date: str
    delivery_date: str
    period: str
    order: str
    sales_order: str
    contract: str
    project: str
    delivery_note: str
    buyer_reference: str
    cost_centre: str
    original_invoice: str
    vat_id: str
    tax_number: str
    registration: str
    line_number: str
    description: str
    quantity: str
    unit: str
    unit_price: str
    tax_rate: str
    amount: str
    item: str
    buyer_item: str
    standard_item: str
    price_for: str
    charge: str
    discount: str
    lines_total: str
    subtotal: str
    tax: str
    tax_of: str
    total_tax: str
    withheld: str
    total: str
    paid: str
    rounding: str
    amount_due: str
    payment: str
    payment_reference: str
    mandate: str
    creditor_id: str
    debited_account: str
    payment_means: str
    card: str
    payment_terms: str
    exemption: str
    notes: str
    attachments: str
    account_holder: str
