#!/usr/bin/env bash
# Prepare this checkout: system tools, .venv, locked packages. Usage: scripts/setup.sh [dev|train|lora|mlflow|tensorboard]
# A second call takes well under a second: a stamp in .venv holds the hash of what was installed.
set -euo pipefail
cd "$(dirname "$0")/.."
profile="${1:-runtime}"

# What Python packages call or load, and the Debian packages that bring it: a program, a shared library (lib...), a
# font file (*.ttf), or a language of Tesseract's (tesseract/...).
system_tools=(
    pdftoppm:poppler-utils
    libpango-1.0.so.0:libpango-1.0-0 libpangoft2-1.0.so.0:libpangoft2-1.0-0
    libharfbuzz-subset.so.0:libharfbuzz-subset0
    DejaVuSans.ttf:fonts-dejavu-core LiberationSans-Regular.ttf:fonts-liberation
    tesseract:tesseract-ocr
    tesseract/eng:tesseract-ocr-eng tesseract/deu:tesseract-ocr-deu tesseract/fra:tesseract-ocr-fra
    tesseract/spa:tesseract-ocr-spa tesseract/ita:tesseract-ocr-ita tesseract/nld:tesseract-ocr-nld
    tesseract/por:tesseract-ocr-por tesseract/tur:tesseract-ocr-tur tesseract/pol:tesseract-ocr-pol
    tesseract/ces:tesseract-ocr-ces
)
# The alphabets in which scans are read, beside Latin letters, Chinese and Japanese. Everything else works without them.
alphabets=(
    tesseract/Arabic:tesseract-ocr-script-arab tesseract/Armenian:tesseract-ocr-script-armn
    tesseract/Bengali:tesseract-ocr-script-beng tesseract/Cyrillic:tesseract-ocr-script-cyrl
    tesseract/Devanagari:tesseract-ocr-script-deva tesseract/Georgian:tesseract-ocr-script-geor
    tesseract/Greek:tesseract-ocr-script-grek tesseract/Hangul:tesseract-ocr-script-hang
    tesseract/Hebrew:tesseract-ocr-script-hebr tesseract/Thai:tesseract-ocr-script-thai
)
# Runs the examples of docs/examples, shows the pages in tests/browser, tries the alarms of deploy/observability, has a
# mailbox for tests/mail/imap, holds the units of deploy/systemd against systemd.
if [ "$profile" = dev ]; then
    system_tools+=(node:nodejs chromium-headless-shell:chromium-headless-shell)
    system_tools+=(promtool:prometheus dovecot:dovecot-imapd systemd-analyze:systemd)
fi

fail() { echo "setup: $*" >&2; exit 1; }

find_python() {
    local candidate
    for candidate in "${PYTHON:-}" python3.11 python3; do
        [ -n "$candidate" ] || continue
        "$candidate" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null && { echo "$candidate"; return; }
    done
    fail "Python 3.11 is missing; install it, or name it: PYTHON=/path/to/python3.11 make setup"
}

is_there() {
    case "$1" in
        # Not grep -q, which stops listening: what is still writing then fails, and with it the pipe.
        lib*) /sbin/ldconfig -p | grep -F "$1 " >/dev/null ;;
        *.ttf) [ -n "$(find /usr/share/fonts /usr/local/share/fonts -name "$1" -print -quit 2>/dev/null)" ] ;;
        tesseract/*) tesseract --list-langs 2>/dev/null | grep -x "${1#*/}" >/dev/null ;;
        # Servers are not on the PATH of everybody.
        *) command -v "$1" >/dev/null || [ -x "/usr/sbin/$1" ] ;;
    esac
}

# The Debian packages of those of the named tools that are not there.
missing_packages() {
    local entry
    for entry in "$@"; do is_there "${entry%%:*}" || echo "${entry#*:}"; done
}

# Install Debian packages; fails, having said why in $log, if that cannot be done.
apt_install() {
    local as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo -n)
    "${as_root[@]}" true 2>"$log" || return 1
    echo "setup: installing $*"
    { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq \
        && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"; } >"$log" 2>&1
}

install_system_tools() {
    local missing
    mapfile -t missing < <(missing_packages "${system_tools[@]}")
    [ ${#missing[@]} -gt 0 ] || return 0
    command -v apt-get >/dev/null || fail "missing: ${missing[*]} (Debian's names); install them and try again"
    apt_install "${missing[@]}" && return
    tail -n 5 "$log" >&2
    fail "missing system packages; run: sudo apt-get install -y --no-install-recommends ${missing[*]}"
}

# Tried once, with the packages of Python: who cannot have them is not to wait for them at every start.
install_alphabets() {
    local missing
    mapfile -t missing < <(missing_packages "${alphabets[@]}")
    [ ${#missing[@]} -gt 0 ] || return 0
    { command -v apt-get >/dev/null && apt_install "${missing[@]}"; } \
        || echo "setup: scans in some alphabets cannot be read without: apt-get install ${missing[*]}"
}

create_venv() {
    if .venv/bin/python -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null; then return; fi
    echo "setup: creating .venv"
    "$python" -m venv --clear .venv 2>"$log" >&2 \
        || { tail -n 3 "$log" >&2; fail "Python's venv module does not work; on Debian: sudo apt-get install python3.11-venv"; }
}

pip_install() {
    # pip's warnings about indexes are noise; its errors are shown whole.
    PIP_DISABLE_PIP_VERSION_CHECK=1 .venv/bin/python -m pip install --quiet "$@" >"$log" 2>&1 && return
    grep -v '^WARNING' "$log" | tail -n 20 >&2
    fail "could not install packages (pip install $*)"
}

# torch is apart, because its builds differ. What is taken, in this order: the right version that is there already; the
# build for CPUs from TORCH_INDEX; that build from a folder of wheels that pip is configured with; the index's own build,
# which brings the CUDA libraries. Only the last has a hash in a lock. The builds for CPUs are the one exception: each
# place makes its own. They cannot be replaced by another package, because nothing else is taken from that place, and
# because no package of a public index can have a version with `+`.
install_torch() {
    local version
    version="$(sed -n 's/^torch==\([^ ]*\).*/\1/p' requirements-torch.lock)"
    .venv/bin/python -c "from importlib.metadata import version as v; assert v('torch').split('+')[0] == '$version'" \
        2>/dev/null && return
    if [ -n "${TORCH_INDEX:-}" ]; then
        (
            unset PIP_EXTRA_INDEX_URL PIP_FIND_LINKS
            PIP_CONFIG_FILE=/dev/null pip_install --no-deps --index-url "$TORCH_INDEX" "torch==$version+cpu"
        ) || exit 1
    elif .venv/bin/python -m pip install --quiet --no-index --no-deps "torch==$version+cpu" >"$log" 2>&1; then
        echo "setup: torch for CPUs, from a folder of wheels of this machine"
    else
        pip_install --no-deps --require-hashes -r requirements-torch.lock
    fi
}

# Where the service cannot write into this checkout, each of its processes would compile all of it at its start. What is
# wrong with the code, tests tell.
compile() { .venv/bin/python -m compileall -q serve_app actors models || true; }

# In place of pip, which would do it on one core. A few packages bring files for other versions of Python.
export PIP_COMPILE=0
compile_packages() { .venv/bin/python -m compileall -q -j 0 .venv/lib/python3.11/site-packages >/dev/null || true; }

locks=(requirements.lock)
case "$profile" in
    runtime) ;;
    dev | train | lora | mlflow | tensorboard) locks+=("requirements-$profile.lock") ;;
    *) fail "unknown profile $profile; choose dev, train, lora, mlflow or tensorboard, or none" ;;
esac

log="$(mktemp)"
trap 'rm -f "$log"' EXIT
python="$(find_python)" || exit 1
install_system_tools

# What an installation from the named locks looks like; a checkout that was moved counts as another one.
state_of() { echo "$(cat "$@" requirements-torch.lock pyproject.toml scripts/setup.sh | sha256sum | cut -d' ' -f1) $PWD"; }

stamp=".venv/.stamp-$profile"
state="$(state_of "${locks[@]}")"
[ -f "$stamp" ] && [ "$(cat "$stamp")" = "$state" ] && .venv/bin/python -c '' 2>/dev/null && { compile; exit 0; }

install_alphabets
create_venv
echo "setup: installing packages ($profile); the first time takes some minutes"
args=()
for lock in "${locks[@]}"; do args+=(-r "$lock"); done
# The locks name everything that is needed, so nothing is looked up that has no hash.
pip_install --no-deps --require-hashes "${args[@]}"
install_torch
compile_packages
pip_install --no-deps --no-build-isolation -e .
compile
echo "$state" >"$stamp"
# Every profile holds what the service itself needs.
state_of requirements.lock >.venv/.stamp-runtime
echo "setup: ready"
