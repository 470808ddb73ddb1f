"""Other ways to write statements of the user's that a capture fails at, as changes of the text.

A module for each kind of statement, from a text and a line to changes that belong together. Whether
the program still does the same is left to ``sameness``.
"""
