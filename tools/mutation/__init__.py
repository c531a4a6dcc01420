"""How much the games' tests notice: one small fault at a time is put into `engines`, and the tests are run on it.

`make mutation` does so with a sample of all faults, chosen by a seed. It is no part of the tests: it takes half an
hour, and a fault that no test notices is often one that changes nothing.
"""
