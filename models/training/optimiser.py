"""AdamW with separate learning rates for the parts of a model."""

from collections.abc import Mapping

import torch
from torch.nn import Parameter
from transformers import PreTrainedModel

# A pre-trained body moves slowly; new tables start from scratch. The tables of relative positions have a few hundred
# numbers that need about a hundred times the body's rate to move at all.
BODY, NEW, RELATIVE = 3e-4, 1e-3, 3e-2
WARM_UP_STEPS = 40
# The last part of a training, in which the rate falls to zero (Hägele et al., "Scaling Laws and Compute-Optimal
# Training Beyond Fixed Training Durations", 2024). Before it the rate is constant, so that training can be extended.
COOL_DOWN = 0.2
LOWEST = 0.02


def freeze_words(model: PreTrainedModel) -> None:
    """Freeze the word embeddings of the base model: half of the weights, which need not be trained."""
    for name, parameter in model.named_parameters():
        if "word_embeddings" in name:
            parameter.requires_grad_(False)


def optimiser(weights: Mapping[str, Parameter], rate: float = 1.0) -> torch.optim.AdamW:
    """The optimiser over the weights by name. `rate` multiplies all rates: below 1 for an already trained model."""
    groups: dict[float, list[Parameter]] = {BODY: [], NEW: [], RELATIVE: []}
    for name, parameter in weights.items():
        groups[_rate(name)].append(parameter)
    settings = [
        {"params": parameters, "lr": base * rate, "base_lr": base * rate}
        for base, parameters in groups.items()
        if parameters
    ]
    return torch.optim.AdamW(settings, weight_decay=0.01, fused=True)


def relative_tables(model: PreTrainedModel) -> list[Parameter]:
    """The tables of relative positions; a model without any has an empty list."""
    return [parameter for name, parameter in model.named_parameters() if _rate(name) == RELATIVE]


def _rate(name: str) -> float:
    if "rel_pos" in name:
        return RELATIVE
    if any(part in name for part in ("x_position", "y_position", "h_position", "w_position", "classifier")):
        return NEW
    return BODY


def set_rates(optimiser: torch.optim.Optimizer, step: int, progress: float, warm_up: int = WARM_UP_STEPS) -> None:
    """Linear warm-up over the first `warm_up` steps, a constant rate, a linear fall over the last `COOL_DOWN` of
    `progress` (0 to 1)."""
    factor = min(1.0, (step + 1) / warm_up) * max(LOWEST, min(1.0, (1 - progress) / COOL_DOWN))
    for group in optimiser.param_groups:
        group["lr"] = group["base_lr"] * factor
