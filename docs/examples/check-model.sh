#!/usr/bin/env bash
# Compare a model with the one in service, and end with 1 if it is worse: on a pull request, or by hand.
#   MODEL        a checkpoint's folder, or a file with its user_config
#   PLACE        extractor or verifier
#   DATA         labelled documents (docs/ and truth/)
#   CALIBRATION  of the pair with the model
#   OUT          folder for reports: after/errors.html shows each wrong value, gate/gate.md the verdict
set -euo pipefail
invoices evaluate "$DATA" --out "$OUT/before" --cache "$OUT/cache"
invoices evaluate "$DATA" --out "$OUT/after" --cache "$OUT/cache" --compare "$OUT/before" "--$PLACE" "$MODEL" --calibration "$CALIBRATION"
invoices models check "$MODEL" --as "$PLACE" --data "$DATA" --calibration "$CALIBRATION" --out "$OUT/gate" --cache "$OUT/cache"
