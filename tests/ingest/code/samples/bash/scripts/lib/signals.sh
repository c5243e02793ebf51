# Signals of the harbour: sourced by the scripts that need a word on the screen.

# Says something to whoever watches, with the time before it.
say() {
    printf '%s %s\n' "$(date +%H:%M)" "$*" >&2
}

fail() {
    say "failed: $*"
    exit 1
}
