"""The benchmark of detection: how many broken exporters the database and the engine catch.

``mutants`` holds the broken exporters, one module a kind of defect; ``mutant`` says what one is,
``operators`` and ``wrapping`` how one is made. ``examining`` puts mutants to one case, ``driver``
to all of them in several processes, ``score`` says what was caught. ``predicates`` measures how
much the generated samples tell apart.
"""
