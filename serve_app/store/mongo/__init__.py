"""The store for a deployment on several machines: one MongoDB database, through motor.

Every write touches one document, because MongoDB makes no more than that atomic without a replica set. A change that
concerns several documents is one write that notes the rest, followed by idempotent steps.
"""

import os

CONNECTIONS = 100
"""The most connections of a client to one server."""

# The driver's calls wait in threads. Its default of five a core is read when it is imported, and lets a few calls that
# hang keep all the others waiting.
os.environ.setdefault("MOTOR_MAX_WORKERS", str(CONNECTIONS))
