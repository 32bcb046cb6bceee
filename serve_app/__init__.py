"""The invoice extraction service: documents in, structured invoices with honest confidence out."""
