"""Mails out of a mailbox that has to stay where it is (IMAP)."""
