// Haymaker's cards as bits, and which acts are worth trying: as engines/players/haymaker/bits.py and candidates.py.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

using Cards = std::uint64_t;
using Acts = std::vector<Cards>;

constexpr int RANKS = 10;
constexpr Cards SUIT = (1 << RANKS) - 1;
constexpr int LONGEST_ATTACK = 4;

inline int count(Cards cards) { return std::popcount(cards); }
inline Cards lowest(Cards cards) { return cards & (~cards + 1); }
inline int rank_of(Cards card) { return std::countr_zero(card) % RANKS + 1; }
inline Cards suit_of(Cards cards, int suit) { return cards >> (RANKS * suit) & SUIT; }
inline bool several(Cards cards) { return cards & (cards - 1); }

// All cards of a rank.
inline Cards of_rank(int rank) { return Cards(0x40100401) << (rank - 1); }

// The sum of the ranks of each set of cards of one suit.
inline const std::array<std::uint8_t, 1024> STRENGTHS = [] {
    std::array<std::uint8_t, 1024> found{};
    for (int suit = 1; suit < 1024; suit++) found[suit] = found[suit & (suit - 1)] + rank_of(lowest(suit));
    return found;
}();

inline int strength(Cards cards) {
    return STRENGTHS[cards & SUIT] + STRENGTHS[cards >> 10 & SUIT] + STRENGTHS[cards >> 20 & SUIT] +
           STRENGTHS[cards >> 30 & SUIT];
}

// Adds all sets of so many cards of a hand to `found`, in the order of itertools.combinations.
inline void add_groups(Acts& found, Cards hand, int size, Cards group = 0) {
    if (!size) {
        found.push_back(group);
        return;
    }
    while (count(hand) >= size) {
        Cards card = lowest(hand);
        hand ^= card;
        add_groups(found, hand, size - 1, group | card);
    }
}

// The attacks with each set of cards of the first suit.
inline const std::array<Acts, 1024> ATTACKS = [] {
    std::array<Acts, 1024> found;
    for (Cards suit = 1; suit < 1024; suit++) {
        for (int size = 1; size <= std::min(count(suit), LONGEST_ATTACK); size++) add_groups(found[suit], suit, size);
        if (count(suit) > LONGEST_ATTACK) found[suit].push_back(suit);
    }
    return found;
}();

inline void add_attacks(Acts& found, Cards hand) {
    for (int suit = 0; suit < 4; suit++)
        for (Cards cards : ATTACKS[suit_of(hand, suit)]) found.push_back(cards << (RANKS * suit));
}

// The shortest blocks of four cards or more, for a hand whose cards are each too weak.
inline void add_longer_blocks(Acts& found, Cards hand, int needed) {
    std::vector<int> ranks;
    for (Cards rest = hand; rest; rest &= rest - 1) ranks.push_back(rank_of(lowest(rest)));
    std::sort(ranks.rbegin(), ranks.rend());
    int total = 0, size = 0;
    for (int rank : ranks) {
        size++;
        total += rank;
        if (total < needed) continue;
        Acts groups;
        add_groups(groups, hand, size);
        for (Cards group : groups)
            if (strength(group) >= needed) found.push_back(group);
        return;
    }
}

// The blocks without a card too many: those of up to three cards; if there are none, the shortest longer ones.
inline void add_blocks(Acts& found, Cards hand, int needed) {
    const std::size_t before = found.size();
    Cards low[40];
    int lows = 0;
    Cards weak = 0;
    for (; hand; hand &= hand - 1) {
        Cards card = lowest(hand);
        if (rank_of(card) >= needed) found.push_back(card);
        else low[lows++] = card, weak |= card;
    }
    for (int first = 0; first < lows - 1; first++) {
        const int missing = needed - rank_of(low[first]);
        Cards others[40];
        int few = 0;
        for (int second = first + 1; second < lows; second++) {
            if (rank_of(low[second]) >= missing) found.push_back(low[first] | low[second]);
            else others[few++] = low[second];
        }
        for (int second = 0; second < few; second++)
            for (int third = second + 1; third < few; third++) {
                const int two = rank_of(others[second]) + rank_of(others[third]);
                if (two >= missing && two < needed) found.push_back(low[first] | others[second] | others[third]);
            }
    }
    if (found.size() == before) add_longer_blocks(found, weak, needed);
}
