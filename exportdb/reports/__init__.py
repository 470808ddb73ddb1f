"""Reports of a run that has ended, made of its records: what happened, why, what to do next.

``causes`` groups results that have one cause, ``background`` knows what cases, expectations and
the catalogue say of it, ``words`` says it in lines. ``markdown``, ``annotations``, ``junit`` and
``sarif`` are one form each; the tables of a terminal are left to the command line. Nothing here
runs anything or imports torch.
"""
