"""Pairs of models that are tried beside the first one: as a shadow they read along, as a canary they answer some."""
