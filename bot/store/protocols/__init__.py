"""What every store does: a protocol for each subject, and `bot.store.protocols.store.Store`, which joins them.

Every implementation makes these promises, and the contract tests (`tests/bot/store/contract.py`) check them:

* A method that returns has *committed*: what it wrote survives a killed process, and power loss on honest disks.
  (`MemoryStore` has no disk. It keeps what it committed for as long as its data lives.)
* A method does all of its work or none. After an exception, nothing has been written. Unsettled says that all of it may
  be there after the process was killed. Only deletions of a person or a server are done in parts, which others may
  read. Once begun they are finished, if need be when the store is opened again or they are asked for again. Until then
  no match or invitation of theirs begins (Busy).
* A list that may be long is read in parts. What is written meanwhile may be in it or not.
* Cancelling a waiting caller changes nothing: its write is still made.
* Nobody ever reads uncommitted data.
* Any number of tasks of one event loop may call methods at once. When two calls overlap, either may come first.

Every method may raise NotSaved, Unsettled, Busy or Damaged, and StoreError once the store is closed
(`bot.store.errors`). A store that serves shards (`bot.store.protocols.clusters`) raises Fenced for writes once another
process may have them; "all" then means all of the servers that belong to these shards.
"""
