"""The store of a deployment of several machines: one MongoDB database, through motor.

Every write touches one document, which is all that MongoDB makes atomic without a replica set; a change that concerns
several is one write that notes the rest, and steps that can be repeated.
"""
