"""Whether a candidate may take a model's place: compared on documents with known truth, with a written verdict."""
