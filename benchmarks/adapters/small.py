"""The kinds of models that are tried: a quarter as wide and a third as deep as the published ones, and with their
words cut in the same way."""

from benchmarks.adapters.blank import Scale, kinds
from benchmarks.adapters.words import byte_pairs, unigrams, word_pieces
from serve_app.domain.labels import TAGS

KINDS = kinds(
    Scale(
        sizes={
            "hidden_size": 192,
            "num_hidden_layers": 4,
            "num_attention_heads": 6,
            "intermediate_size": 768,
            "max_position_embeddings": 514,
        },
        classes=TAGS,
        word_pieces=word_pieces,
        byte_pairs=byte_pairs,
        unigrams=unigrams,
        pixels=224,
        patch=16,
        # The published ones take pages of 1,280 by 960 pixels.
        swin={"image_size": [320, 240], "embed_dim": 48, "depths": [2, 2], "num_heads": [2, 4], "window_size": 5},
    )
)
