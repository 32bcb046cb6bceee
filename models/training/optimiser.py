"""AdamW with the learning rates that the parts of a model need."""

import torch
from transformers import PreTrainedModel

# A pre-trained body moves slowly; new tables start from nothing. The tables of relative positions have a few hundred
# numbers that only move at about a hundred times the body's rate.
BODY, NEW, RELATIVE = 3e-4, 1e-3, 3e-2
WARM_UP_STEPS = 40


def optimiser(model: PreTrainedModel) -> torch.optim.AdamW:
    """The optimiser over everything but the word embeddings, which stay frozen as the base model has them."""
    groups: dict[float, list[torch.nn.Parameter]] = {BODY: [], NEW: [], RELATIVE: []}
    for name, parameter in model.named_parameters():
        if "word_embeddings" in name:
            parameter.requires_grad_(False)
            continue
        groups[_rate(name)].append(parameter)
    settings = [
        {"params": parameters, "lr": rate, "base_lr": rate} for rate, parameters in groups.items() if parameters
    ]
    return torch.optim.AdamW(settings, weight_decay=0.01)


def relative_tables(model: PreTrainedModel) -> list[torch.nn.Parameter]:
    """The tables of relative positions; a model without any has an empty list."""
    return [parameter for name, parameter in model.named_parameters() if _rate(name) == RELATIVE]


def _rate(name: str) -> float:
    if "rel_pos" in name:
        return RELATIVE
    if any(part in name for part in ("x_position", "y_position", "h_position", "w_position", "classifier")):
        return NEW
    return BODY


def set_rates(optimiser: torch.optim.Optimizer, step: int, progress: float) -> None:
    """Linear warm-up over the first steps, then linear decay to 2 % at `progress` 1."""
    factor = min(1.0, (step + 1) / WARM_UP_STEPS) * max(0.02, 1 - progress)
    for group in optimiser.param_groups:
        group["lr"] = group["base_lr"] * factor
