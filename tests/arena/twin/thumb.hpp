// The level *normal*: as engines/players/haymaker/rules_of_thumb.py.
#pragma once

#include "features.hpp"

namespace thumb {

constexpr double BLOCKED = 0.2, REVERSED = 0.8, A_POINT = 0.03, A_CARD = 0.5, A_HIT = 0.9, ALL_CARDS = 1.5,
                 RATHER_PASS = 0.0;

inline Cards attack(const Known& known) {
    Acts acts;
    add_attacks(acts, known.hand);
    if (known.their_count == 1) {
        Cards found = 0;
        for (Cards act : acts)
            if (several(act) && strength(act) > RANKS && (!found || strength(act) < strength(found))) found = act;
        if (found) return found;
    }
    const auto equal = odds_of_ranks(known);
    double worth[RANKS + 1], none_stronger = 1;
    for (int rank = RANKS; rank; rank--) {
        const double unequalled = 1 - equal[rank];
        const double hit = unequalled * none_stronger, blocked = unequalled * (1 - none_stronger);
        worth[rank] = hit + BLOCKED * blocked - REVERSED * equal[rank] - A_POINT * rank;
        none_stronger *= unequalled;
    }
    Cards best = 0;
    for (Cards act : acts)
        if (!several(act) && (!best || worth[rank_of(act)] > worth[rank_of(best)])) best = act;
    return known.may_pass && known.draw && worth[rank_of(best)] < RATHER_PASS ? 0 : best;
}

inline Cards reply(const Known& known) {
    const int needed = strength(known.attack);
    const bool haymaker = several(known.attack);
    Acts acts;
    add_blocks(acts, known.hand, needed);
    if (acts.empty()) return 0;
    Cards best = 0;
    double highest = -1e9;
    for (Cards act : acts) {
        const int strong = strength(act);
        const double gain = haymaker || !known.their_count || strong == needed ? REVERSED : 0.0;
        const double worth = gain - A_CARD * (count(act) - 1) - A_POINT * strong;
        if (worth > highest) highest = worth, best = act;
    }
    const int cost = 1 + haymaker;
    if (count(known.hand) < cost) return best;
    return highest > -(count(known.hand) == cost ? ALL_CARDS : A_HIT * cost) ? best : 0;
}

inline Cards act(const Known& known) {
    if (known.phase == Phase::attack) return attack(known);
    if (known.phase == Phase::reply) return reply(known);
    return rank_of(known.drawn[1]) > rank_of(known.drawn[0]) ? known.drawn[1] : known.drawn[0];
}

}  // namespace thumb
