"""The conformance suite as pytest items."""
