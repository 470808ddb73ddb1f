"""From a user's own module to what is wrong with its capture, a change that mends it, and a small
program that shows the same.

``origin`` says where the module is from, ``change`` what can be changed about it, ``rules`` what is
worth trying after which result, ``search`` tries it, ``reduce`` makes the program small. Nothing is
proposed that was not examined.
"""
