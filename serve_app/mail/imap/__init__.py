"""Mails from a mailbox that stays with its provider (IMAP)."""
