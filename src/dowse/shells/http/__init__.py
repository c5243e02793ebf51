"""How do programs and browsers reach it? Over HTTP: REST, events, metrics, and what is mounted beside them."""
