"""The store for a deployment on several machines: one MongoDB database, through motor.

Every write touches one document, because MongoDB makes no more than that atomic without a replica set. A change that
concerns several documents is one write that notes the rest, followed by idempotent steps.
"""
