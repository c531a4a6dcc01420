"""Haymaker's fast twin: rules, features, net and rules of thumb once more in C++, for training alone.

Nothing that is shipped needs it, or a compiler. `build` compiles and runs it, `compare` holds it against the rules and
the shipped player. `cards.hpp`, `table.hpp`, `features.hpp` and `thumb.hpp` follow the Python modules that they name;
`net.hpp` has the net as it plays and as it learns, `learn.hpp` players and how they learn. `main.cpp` has the commands,
with their settings as name=value:

- `train`: learn by matches against itself and its past;
- `compare`: play given matches again.
"""
