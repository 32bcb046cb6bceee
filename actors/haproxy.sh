#!/bin/sh
# Ray Serve starts this in place of HAProxy (RAY_SERVE_HAPROXY_BINARY_PATH). It completes the configuration, then becomes HAProxy.
root="$(cd "$(dirname "$0")/.." && pwd)"
PYTHONPATH="$root" exec "${INVOICES_PYTHON:-python3}" -P -m actors.haproxy_config "$@"
