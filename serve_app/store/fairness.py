"""How accounts take turns, the same in every store.

An account has a few seats. Its oldest invoices sit, the others wait; only who sits can be claimed, and keeps the seat
until the run has ended. Claims go by `turn`: the moment of sitting down, plus a handicap for each seat that the account
had taken by then. So an account's single document comes before another's second one, whatever waits behind that; and
since a turn is a moment, everybody's comes.
"""

from datetime import timedelta

HANDICAP = timedelta(seconds=5)
"""What each seat that an account has already adds to the turn of its next invoice."""
LONGEST_LEASE = timedelta(minutes=10)
"""A lease that ends later than this from now was given before the clock was set back."""
LONGEST_DELAY = timedelta(minutes=20)
"""The same for the delay of an invoice that was given back."""
