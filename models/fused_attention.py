"""LayoutLMv3's attention with fewer passes over memory and trainable position biases.

The library's version computes scores, adds two position biases and a mask, and guards the softmax against
half-precision overflow, each in a separate pass over (heads, tokens, tokens) numbers, in every layer. Bias and mask are
the same in all layers: here they are summed once, and attention is one fused call. The library also computes the bucket
of each pair of tokens with a logarithm; here that is done once for each distance. The result is the same to rounding.

The library gives the tables of relative positions no gradient, because they are meant to be pre-trained. When training
from scratch they must be learned: they let a model see columns and rows.
"""

import math
from types import MethodType
from typing import Any

import torch
from torch.nn.functional import embedding, scaled_dot_product_attention
from transformers import PreTrainedModel
from transformers.models.layoutlmv3.modeling_layoutlmv3 import LayoutLMv3Encoder, LayoutLMv3SelfAttention


class _SharedBias:
    """The summed bias of the current forward pass, kept from the first layer to the last."""

    def __init__(self) -> None:
        self._source: torch.Tensor | None = None
        self._bias: torch.Tensor | None = None

    def of(
        self, rel_pos: torch.Tensor, rel_2d_pos: torch.Tensor, mask: torch.Tensor | None, scale: float
    ) -> torch.Tensor:
        if self._source is not rel_pos or self._bias is None:
            bias = (rel_pos + rel_2d_pos) * scale
            # Laid out once in the order in which every layer's attention reads it.
            self._source, self._bias = rel_pos, (bias if mask is None else bias + mask).contiguous()
        return self._bias


def fuse_attention(model: PreTrainedModel) -> PreTrainedModel:
    """Make every LayoutLMv3 attention layer of `model` use the fused computation; other models are left alone."""
    shared = _SharedBias()
    for module in model.modules():
        part: Any = module
        if isinstance(part, LayoutLMv3SelfAttention) and part.has_spatial_attention_bias:
            _replace(part, shared_bias=shared, forward=MethodType(_forward, part))
        if isinstance(part, LayoutLMv3Encoder):
            _add_buckets(part)
            _replace(
                part,
                _cal_1d_pos_emb=MethodType(_bias_of_positions, part),
                _cal_2d_pos_emb=MethodType(_bias_of_boxes, part),
            )
    return model


def _replace(part: Any, **attributes: object) -> None:
    for name, value in attributes.items():
        setattr(part, name, value)


def _add_buckets(encoder: Any) -> None:
    """The bucket of each distance that positions or boxes can have, from the farthest left to the farthest right."""
    config, device = encoder.config, next(encoder.parameters()).device
    for name, bins, farthest, places in (
        ("position_buckets", config.rel_pos_bins, config.max_rel_pos, config.max_position_embeddings),
        ("box_buckets", config.rel_2d_pos_bins, config.max_rel_2d_pos, config.max_2d_position_embeddings),
    ):
        distances = torch.arange(1 - places, places, device=device)
        buckets = encoder.relative_position_bucket(distances, num_buckets=bins, max_distance=farthest)
        encoder.register_buffer(name, buckets, persistent=False)


def _bias_of_positions(self: Any, position_ids: torch.Tensor) -> torch.Tensor:
    """The bias of relative reading-order positions; shape (batch, heads, tokens, tokens)."""
    return _bias(position_ids, self.rel_pos_bias.weight, self.position_buckets)


def _bias_of_boxes(self: Any, bbox: torch.Tensor) -> torch.Tensor:
    """The bias of relative left edges and lower edges; shape (batch, heads, tokens, tokens)."""
    across = _bias(bbox[:, :, 0], self.rel_pos_x_bias.weight, self.box_buckets)
    down = _bias(bbox[:, :, 3], self.rel_pos_y_bias.weight, self.box_buckets)
    return across + down


def _bias(places: torch.Tensor, table: torch.Tensor, buckets: torch.Tensor) -> torch.Tensor:
    """The entry of the table (heads, buckets) for the distance of each pair of places."""
    of_distance = table[:, buckets]
    # The middle is distance 0.
    distances = places.unsqueeze(-2) - places.unsqueeze(-1) + len(buckets) // 2
    if torch.is_grad_enabled():
        return embedding(distances, of_distance.t()).permute(0, 3, 1, 2)
    # Heads first, so that nothing is transposed. Its backward pass is slow.
    return of_distance[:, distances].transpose(0, 1)


def _forward(
    self: Any,
    hidden_states: torch.Tensor,
    attention_mask: torch.Tensor | None = None,
    rel_pos: torch.Tensor | None = None,
    rel_2d_pos: torch.Tensor | None = None,
    **_: object,
) -> tuple[torch.Tensor, None]:
    """The library's `forward`, without returning attention probabilities."""
    batch, tokens, width = hidden_states.shape
    query, key, value = (
        layer(hidden_states).view(batch, tokens, self.num_attention_heads, self.attention_head_size).transpose(1, 2)
        for layer in (self.query, self.key, self.value)
    )
    scale = 1 / math.sqrt(self.attention_head_size)
    bias = self.shared_bias.of(rel_pos, rel_2d_pos, attention_mask, scale).to(query.dtype)
    if torch.is_grad_enabled():
        context = _attend_with_gradient(query * scale, key, value, bias)
    else:
        context = scaled_dot_product_attention(query, key, value, attn_mask=bias, scale=scale)
    return context.transpose(1, 2).reshape(batch, tokens, width), None


def _attend_with_gradient(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, bias: torch.Tensor
) -> torch.Tensor:
    """Attention with a trainable bias: the fused kernels give a bias no gradient. On a CPU their backward pass is also
    slower, three times so in half precision."""
    batch, heads, tokens, width = query.shape
    flat = batch * heads
    scores = torch.baddbmm(
        bias.reshape(flat, tokens, tokens),
        query.reshape(flat, tokens, width),
        key.reshape(flat, tokens, width).transpose(1, 2),
    )
    context = torch.bmm(torch.softmax(scores, dim=-1), value.reshape(flat, tokens, width))
    return context.view(batch, heads, tokens, width)
