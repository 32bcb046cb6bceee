"""What distinguishes reservations of the same invoice that were made in the same microsecond."""

STATEMENTS: tuple[str, ...] = ("ALTER TABLE reservations ADD COLUMN token TEXT",)
