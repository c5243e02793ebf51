"""What does dowse cost, and what does it find? Measured beside others, in one run on the same machine."""
