"""What every store does: a protocol for each subject, and `Store`, which is all of them.

Promises, held by the contract tests for every implementation:

* A method that returns has *committed*: what it wrote survives a killed process, and power loss on honest disks.
* A method is whole or not at all: after any exception of `bot.store.errors` nothing of it is there.
* A caller that is cancelled while it waits does not undo or tear anything: its write is made all the same.
* Nobody ever reads what is not committed.
* Methods may be called by any number of tasks of one event loop at once; the order of two that overlap is open.

Every method may raise NotSaved, Busy or Damaged, and StoreError once the store is closed.
"""
