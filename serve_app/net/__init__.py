"""HTTP requests to URLs that users give: to public addresses only (ADR 0022)."""
