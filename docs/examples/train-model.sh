#!/usr/bin/env bash
# Train the extractor further on your own documents, and compare it with the one in service.
#   TRAIN        labelled documents for training (docs/how-to/train-models.md); DATA: others to measure
#   START        folder with the weights to continue from, such as models/weights
#   DOCUMENTS    how many documents it sees, yours again and again
#   OUT          folder for weights (weights/extractor) and reports
set -euo pipefail
invoices evaluate "$DATA" --out "$OUT/before" --cache "$OUT/cache"
invoices models train extractor --real "$TRAIN:0.5" --start "$START" --rate 0.5 --runs "$OUT/runs" --documents "$DOCUMENTS" --export "$OUT/weights"
invoices evaluate "$DATA" --out "$OUT/after" --extractor "$OUT/weights/extractor" --cache "$OUT/cache" --compare "$OUT/before"
