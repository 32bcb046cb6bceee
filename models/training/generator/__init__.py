"""Synthetic invoices, receipts and look-alikes with the right answer for every word.

generate(seed)            any family
generate_training(seed)   never a held-out family
generate_validation(seed) only held-out families
"""

from models.training.generator.compose import (
    HELD_OUT,
    families,
    generate,
    generate_training,
    generate_validation,
)
from models.training.generator.core.profile import Profile

__all__ = ["HELD_OUT", "Profile", "families", "generate", "generate_training", "generate_validation"]
