"""How do coding agents reach it? As an MCP server, over standard input and output or over HTTP."""
