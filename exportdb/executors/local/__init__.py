"""The executor of one machine: children forked from a warm server, each with a time limit."""
