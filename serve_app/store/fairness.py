"""How accounts take turns, the same in every store.

An account has a few slots. Its oldest invoices hold them, the others wait. Only an invoice with a slot can be claimed,
and it keeps the slot until its run has ended. Claims go in the order of `turn`: the moment the invoice got its slot,
plus a handicap for each slot that the account already held then. So an account's single document comes before another
account's second one, however many wait behind that one. Since a turn is a moment in time, every invoice's turn comes:
none starves.
"""

from datetime import timedelta

HANDICAP = timedelta(seconds=5)
"""Added to an invoice's turn for each slot that its account already holds."""
LONGEST_LEASE = timedelta(minutes=10)
"""A lease that ends later than this from now was granted before the clock was set back."""
LONGEST_DELAY = timedelta(minutes=20)
"""The same for the delay of a released invoice."""
