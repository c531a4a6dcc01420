// What a seat knows and what the net is shown of it: as engines/players/haymaker/memory.py and features.py, operation
// by operation, so that both come to the same numbers.
#pragma once

#include <cmath>
#include <utility>

#include "table.hpp"

struct Known {
    Cards hand, theirs, shown, unseen;
    int their_count, draw, discards[2];
    Phase phase;
    bool may_pass;
    Cards attack, drawn[2];
    const History* history;  // the opponent's

    Known(const Table& table, int seat)
        : hand(table.hands[seat]), theirs(table.shown[1 - seat]), shown(table.shown[seat]),
          unseen(table.all & ~(hand | theirs | table.discards[0] | table.discards[1] | table.on_table |
                               table.drawn[0] | table.drawn[1])),
          their_count(count(table.hands[1 - seat])), draw(table.left),
          discards{count(table.discards[seat]), count(table.discards[1 - seat])}, phase(table.phase),
          may_pass(table.may_pass), attack(table.on_table), drawn{table.drawn[0], table.drawn[1]},
          history(&table.histories[1 - seat]) {}

    int hidden() const { return their_count - count(theirs); }
};

// How likely the opponent holds at least one card of each rank, by the rank; index 0 is unused.
inline std::array<double, RANKS + 1> odds_of_ranks(const Known& known) {
    const int unseen = count(known.unseen);
    const double missed = unseen ? 1 - double(known.hidden()) / unseen : 1.0, square = missed * missed;
    const double powers[5] = {1.0, missed, square, square * missed, square * square};
    std::array<double, RANKS + 1> found{};
    for (int rank = 1; rank <= RANKS; rank++)
        found[rank] = known.theirs & of_rank(rank) ? 1.0 : 1 - powers[count(known.unseen & of_rank(rank))];
    return found;
}

constexpr int MOST = 10;
constexpr int HELD = 0, COUNT = HELD + 4 * RANKS, SUITS = COUNT + MOST, ODDS = SUITS + 3, THEIRS = ODDS + RANKS,
              SHOWN = THEIRS + RANKS, THEIR_COUNT = SHOWN + RANKS, REST = THEIR_COUNT + MOST, KIND = REST + 6,
              RANK = KIND + 8, ACT = RANK + RANKS, HISTORY = ACT + 8, FEATURES = HISTORY + History::SIZE;
enum Kind { ATTACK = KIND, HAYMAKER, PASS, BLOCK, REVERSAL, HIT, HAYMAKER_HIT, KEEP };

using Row = std::array<double, FEATURES>;

// The features of one act that differ from those of the situation.
struct Changes {
    int size = 0;
    std::pair<int, double> each[96];
    void set(int feature, double value) { each[size++] = {feature, value}; }
};

inline std::array<double, 3> suits_features(Cards hand) {
    int best = -1, total = 0, cards = 0;
    for (int suit = 0; suit < 4; suit++) {
        const int strong = STRENGTHS[suit_of(hand, suit)];
        total += strong;
        if (strong > best) best = strong, cards = count(suit_of(hand, suit));
    }
    return {total / 50.0, best / 30.0, cards / 6.0};
}

inline void situation_features(const Known& known, Row& found) {
    found.fill(0);
    const auto odds = odds_of_ranks(known);
    for (int rank = 1; rank <= RANKS; rank++) {
        for (int at = 0; at < count(known.hand & of_rank(rank)); at++) found[HELD + 4 * rank - 4 + at] = 1;
        found[ODDS + rank - 1] = odds[rank];
        found[THEIRS + rank - 1] = (known.theirs & of_rank(rank)) != 0;
        found[SHOWN + rank - 1] = (known.shown & of_rank(rank)) != 0;
    }
    for (int at = 0; at < std::min(count(known.hand), MOST); at++) found[COUNT + at] = 1;
    for (int at = 0; at < std::min(known.their_count, MOST); at++) found[THEIR_COUNT + at] = 1;
    const auto suits = suits_features(known.hand);
    std::copy(suits.begin(), suits.end(), &found[SUITS]);
    found[REST] = known.hidden() / double(MOST);
    found[REST + 1] = strength(known.unseen) / double(MOST * std::max(1, count(known.unseen)));
    found[REST + 2] = known.draw / 16.0;
    found[REST + 3] = known.draw == 0;
    found[REST + 4] = 0 < known.draw && known.draw <= 2;
    found[REST + 5] = (known.discards[0] - known.discards[1]) / 20.0;
    std::copy(known.history->values, known.history->values + History::SIZE, &found[HISTORY]);
}

// What is different once these cards have left the hand.
inline void set_without(Changes& found, Cards hand, Cards act) {
    Cards held = hand;
    for (Cards rest = act; rest; rest &= rest - 1) {
        const int rank = rank_of(lowest(rest));
        found.set(HELD + 4 * rank - 5 + count(held & of_rank(rank)), 0);
        held ^= lowest(rest);
    }
    for (int at = count(held); at < std::min(count(hand), MOST); at++) found.set(COUNT + at, 0);
    const auto suits = suits_features(held);
    for (int at = 0; at < 3; at++) found.set(SUITS + at, suits[at]);
}

// About how likely all the opponent's cards together are weaker than an attack.
inline double unblocked(const Known& known, int strong) {
    const double each = strength(known.unseen) / double(std::max(1, count(known.unseen)));
    const double above =
        (strong - strength(known.theirs) - known.hidden() * each) / (3 * std::sqrt(known.hidden() + 0.1));
    return std::min(1.0, std::max(0.0, 0.5 + above / 2));
}

inline void act_features(const Known& known, const Row& before, Cards act, Changes& found) {
    found.size = 0;
    if (known.phase == Phase::keep) {
        const int given = rank_of((known.drawn[0] | known.drawn[1]) ^ act), rank = rank_of(act);
        found.set(KEEP, 1), found.set(RANK + given - 1, 1), found.set(THEIRS + given - 1, 1);
        found.set(HELD + 4 * rank - 4 + count(known.hand & of_rank(rank)), 1);
        if (count(known.hand) < MOST) found.set(COUNT + count(known.hand), 1);
        const auto suits = suits_features(known.hand | act);
        for (int at = 0; at < 3; at++) found.set(SUITS + at, suits[at]);
    } else if (known.phase == Phase::attack) {
        if (!act) return found.set(PASS, 1);
        set_without(found, known.hand, act);
        const int strong = strength(act);
        found.set(ACT, strong / 30.0), found.set(ACT + 1, count(act) / 4.0);
        if (several(act)) {
            found.set(HAYMAKER, 1), found.set(ACT + 4, unblocked(known, strong));
            return;
        }
        double lighter = 1;
        for (int rank = strong + 1; rank <= RANKS; rank++) lighter *= 1 - before[ODDS + rank - 1];
        const double equal = before[ODDS + strong - 1];
        found.set(ATTACK, 1), found.set(RANK + strong - 1, 1);
        found.set(ACT + 2, equal), found.set(ACT + 3, (1 - equal) * lighter);
    } else {
        const int needed = strength(known.attack);
        const bool haymaker = several(known.attack);
        if (!act) {
            found.set(haymaker ? HAYMAKER_HIT : HIT, 1), found.set(ACT + 7, needed / 30.0);
            return;
        }
        set_without(found, known.hand, act);
        const int strong = strength(act);
        found.set(haymaker || strong == needed || !known.their_count ? REVERSAL : BLOCK, 1);
        found.set(ACT + 5, count(act) / 4.0), found.set(ACT + 6, (strong - needed) / 10.0);
        found.set(ACT + 7, needed / 30.0);
    }
}
