"""Haymaker's fast twin: rules, features, net and rules of thumb once more in C++, for training and measuring alone.

Nothing that is shipped needs it, or a compiler. `build` compiles and runs it, `compare` holds it against the rules and
the shipped player. `cards.hpp`, `table.hpp`, `features.hpp` and `thumb.hpp` follow the Python modules that they name;
`net.hpp` has the net as it plays and as it learns, `learn.hpp` players and how they learn, `exact.hpp` the best
response in a small game. `main.cpp` has the commands, with their settings as name=value:

- `train`: learn by matches against itself and its past;
- `attack`: learn a best response to a level;
- `judge`: what one player wins from another;
- `exploit`: what an exact best response wins in a small game;
- `compare`: play given matches again.
"""
