"""Which samples an examination tries: those it makes by itself, and the program's own.

``planning`` has the whole list and its order; ``sizes`` what is made from declared ranges,
``conditions`` from what the program asks while it runs on symbols (``tracing`` runs it,
``solving`` finds inputs on the other side), ``constants`` the numbers and words that the program
mentions, ``relations`` one tensor alone of another size, ``places`` where a size or number stands,
``coverage`` which further samples take a side of a branch that no other takes (``branches`` follows
a call), ``in_child`` the process in which a program is asked all this.
"""
