"""The static checks, one a module; a module with a ``CHECK`` in it is all that a new one needs."""
