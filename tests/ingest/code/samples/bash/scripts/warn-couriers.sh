#!/usr/bin/env bash
#
# Warns the couriers of a port before the tide is too high for the quay.

set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source "$here/lib/signals.sh"
. ./lib/tides.sh

# How high the water may stand, in centimetres.
readonly QUAY_HEIGHT=420
declare -ra PORTS=(oban mallaig kyle)
export TIDE_SERVICE="${TIDE_SERVICE:-https://tides.example}"
ATTEMPTS=3
dry_run=no

# The height that is expected at a port.
#
# $1: name of the port
height_at() {
    local port=$1
    curl --silent "$TIDE_SERVICE/ports/$port" | read_height
}

function read_height {
    sed -n 's/^height=//p'
}

function _compose() {
    local port=$1 height=$2
    cat <<MESSAGE
Couriers of $port: stay away from the quay.
The water will stand at $height, main() floods above $QUAY_HEIGHT.
MESSAGE
}

# Tries a few times, for the line to the islands is weak.
warn() {
    local port=$1 height=$2 attempt
    for ((attempt = 1; attempt <= ATTEMPTS; attempt++)); do
        if _compose "$port" "$height" | deliver "$port"; then
            say "warned $port"
            return 0
        fi
        sleep "$attempt"
    done
    fail "could not warn $port"
}

cleanup() (
    cd "$here"
    rm -f warned.tmp
)

main() {
    local port height
    for port in "${PORTS[@]}"; do
        height=$(height_at "$port")
        if ((height > QUAY_HEIGHT)); then
            warn "$port" "$height"
        fi
    done
}

trap cleanup EXIT
main "$@"
