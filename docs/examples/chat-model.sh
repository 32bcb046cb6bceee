#!/usr/bin/env bash
# Calibrate and check a model behind a server. It has no files, so it is deployed by its configuration, not promoted.
#   MODEL        a file with its user_config (adapter: chat, endpoint)
#   PLACE        extractor or verifier
#   CALIBRATE    labelled documents for the calibration, hundreds of them; DATA: others for the decision
#   OUT          folder for reports and the calibration
set -euo pipefail
invoices models calibrate "$CALIBRATE" "--$PLACE" "$MODEL" --out "$OUT/calibration.json" --cache "$OUT/cache"
invoices evaluate "$DATA" --out "$OUT/after" "--$PLACE" "$MODEL" --calibration "$OUT/calibration.json"
invoices models check "$MODEL" --as "$PLACE" --data "$DATA" --calibration "$OUT/calibration.json" --out "$OUT/gate" --cache "$OUT/cache"
