"""The checks, one a module. None imports torch: what they need of it, their subject has."""
