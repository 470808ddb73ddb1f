"""Programs that nobody wrote, examined like any other, and the causes of what comes out.

``elements`` is the grammar as data, ``around`` says which of it and which operators are asked for,
by the names that ``naming`` knows. ``opinfo`` draws calls of operators, ``arguments`` what more
they can say. ``holes`` chooses what stands in the holes of a statement, ``partial_program`` runs
each candidate in eager, ``writing`` makes the text, ``generate`` ties these together in a child,
``reached`` says which operators a program calls.
``buckets`` says which results are leads and which are alike, ``known`` what is nothing new.
``leads`` is the way from there to one of the ``causes``: ``shrinking`` makes a program small, with
``trials``, and ``drafts`` keeps it with its proof. ``folder`` keeps others out, ``state`` says how
far a hunt has come, ``hunting`` is the whole way. Nothing here writes to the database.
"""

#: Seconds that one examination may take (most take half a one), and those of CPU time that the
#: program of one cause may be made smaller.
EXAMINATION_TIMEOUT, REDUCTION_SECONDS = 20.0, 30.0
