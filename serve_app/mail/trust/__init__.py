"""Whether a mail comes from where it says: SPF, DKIM, DMARC, ARC, or the verdict of a trusted server in front."""
