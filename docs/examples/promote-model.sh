#!/usr/bin/env bash
# Bring a model into the registry and promote it: calibrate its pair, check it, promote it, write its card.
#   MODEL        a checkpoint's folder, or a file with its user_config (label_map, adapter)
#   PLACE, NAME  extractor or verifier; the name in the registry
#   LICENCE      of its weights
#   CALIBRATE    labelled documents for the calibration, hundreds of them; DATA: others for the decision
#   OUT          folder for reports and the calibration
set -euo pipefail
invoices models calibrate "$CALIBRATE" "--$PLACE" "$MODEL" --out "$OUT/calibration.json" --cache "$OUT/cache"
version=$(invoices models fetch "$MODEL" --as "$PLACE" --name "$NAME" --licence "$LICENCE" --calibration "$OUT/calibration.json")
invoices models check "registry://$version" --as "$PLACE" --data "$DATA" --calibration "$OUT/calibration.json" --out "$OUT/gate" --cache "$OUT/cache"
invoices models promote "$version" --gate "$OUT/gate/gate.json"
invoices models card "$version" --out "$OUT/card.md"
