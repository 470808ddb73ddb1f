"""Where programs come from: the protocol that every source keeps, and one module per source."""
