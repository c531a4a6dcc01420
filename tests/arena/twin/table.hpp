// The rules on bits, and what both players have seen: as tests/arena/haymaker_table.py.
#pragma once

#include "cards.hpp"

// Chance: xoshiro256** (Blackman and Vigna), begun by splitmix64.
class Luck {
  public:
    explicit Luck(std::uint64_t seed) {
        for (auto& word : words_) {
            std::uint64_t mixed = seed += 0x9e3779b97f4a7c15;
            mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
            mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
            word = mixed ^ mixed >> 31;
        }
    }
    std::uint64_t bits() {
        const std::uint64_t found = std::rotl(words_[1] * 5, 7) * 9, shifted = words_[1] << 17;
        words_[2] ^= words_[0], words_[3] ^= words_[1], words_[1] ^= words_[2], words_[0] ^= words_[3];
        words_[2] ^= shifted, words_[3] = std::rotl(words_[3], 45);
        return found;
    }
    // From 0 to below 1.
    double random() { return double(bits() >> 11) * 0x1p-53; }
    int below(int limit) { return int(random() * limit); }

  private:
    std::uint64_t words_[4];
};

// What a match is played with: ranks 1 to `ranks` in some suits. What is neither dealt nor in the pile is burned.
struct Pack {
    int ranks = RANKS, suits = 4, dealt = 10, pile = 16;
    Cards all() const {
        Cards found = 0;
        for (int suit = 0; suit < suits; suit++) found |= ((Cards(1) << ranks) - 1) << (RANKS * suit);
        return found;
    }
};

// What a player has told by its acts: as engines/players/haymaker/history.py.
struct History {
    static constexpr int SIZE = 3 * RANKS + 6;
    static constexpr double FADES = 0.8;
    double values[SIZE] = {};

    void attacked(Cards cards) {
        for (int at = 0; at < RANKS; at++) values[ATTACKED + at] *= FADES;
        values[PASSED] *= FADES, values[GAVE] *= FADES;
        if (!several(cards)) values[ATTACKED + rank_of(cards) - 1] = 1;
    }
    void took_hit(Cards attack) {
        if (several(attack)) return;
        values[UNEQUALLED + rank_of(attack) - 1] = values[HIT + rank_of(attack) - 1] = 1;
    }
    void blocked(Cards attack, Cards block, bool reversal) {
        const int strong = strength(block), needed = strength(attack);
        if (!several(attack) && strong != needed) values[UNEQUALLED + needed - 1] = 1;
        int strongest = 0;
        for (Cards rest = block; rest; rest &= rest - 1) strongest = std::max(strongest, rank_of(lowest(rest)));
        values[BLOCK] = count(block) / 4.0;
        values[BLOCK + 1] = (strong - needed) / 10.0;
        values[BLOCK + 2] = strongest / 10.0;
        values[BLOCK + 3] = reversal;
    }
    void drew() {
        for (int at = UNEQUALLED; at < PASSED; at++) values[at] *= FADES;
    }
    void passed() { values[PASSED] = 1; }
    void gave(Cards card) { values[GAVE] = rank_of(card) / 10.0; }

  private:
    static constexpr int ATTACKED = 0, UNEQUALLED = RANKS, HIT = 2 * RANKS, PASSED = 3 * RANKS, GAVE = PASSED + 1,
                         BLOCK = GAVE + 1;
};

enum class Phase { attack, reply, keep, over };

struct Table {
    static constexpr int DRAWN_GAME = -1;

    Cards all = 0;
    Cards hands[2] = {}, shown[2] = {}, discards[2] = {};
    History histories[2];
    Cards draw[16] = {};
    int left = 0;  // in the pile; the top is last
    Cards drawn[2] = {};
    Cards on_table = 0;
    int attacker = 0;
    bool may_pass = false;
    Phase phase = Phase::attack;
    int winner = DRAWN_GAME;

    static Table dealt(const Pack& pack, Luck& luck) {
        Table table;
        table.all = pack.all();
        Cards deck[40];
        int size = 0;
        for (Cards rest = table.all; rest; rest &= rest - 1) deck[size++] = lowest(rest);
        for (int at = 0; at < 2 * pack.dealt + pack.pile; at++) {
            std::swap(deck[at], deck[at + luck.below(size - at)]);
            if (at < 2 * pack.dealt) table.hands[at % 2] |= deck[at];
            else table.draw[table.left++] = deck[at];
        }
        table.attacker = luck.below(2);
        return table;
    }

    bool over() const { return phase == Phase::over; }
    int asked() const { return phase == Phase::reply ? 1 - attacker : attacker; }
    double share(int seat) const { return winner == DRAWN_GAME ? 0.5 : winner == seat; }

    void candidates(Acts& found) const {
        found.clear();
        if (phase == Phase::attack) {
            if (may_pass) found.push_back(0);
            add_attacks(found, hands[attacker]);
        } else if (phase == Phase::reply) {
            found.push_back(0);
            add_blocks(found, hands[1 - attacker], strength(on_table));
        } else {
            found.assign(drawn, drawn + 2);
        }
    }

    // Whether the rules allow an act, a candidate or not.
    bool legal(Cards act) const {
        if (phase == Phase::keep) return act == drawn[0] || act == drawn[1];
        if (act & ~hands[asked()]) return false;
        if (phase == Phase::reply) return !act || strength(act) >= strength(on_table);
        if (!act) return may_pass;
        for (int suit = 0; suit < 4; suit++)
            if (act == (act & SUIT << (RANKS * suit))) return true;
        return false;
    }

    // `given` are the cards given for a hit, if they are known already.
    void play(Cards act, Luck& luck, Cards given = 0) {
        if (phase == Phase::attack) act ? attack(act) : pass();
        else if (phase == Phase::reply) act ? block(act) : hit(given ? given : lost_to_hit(luck));
        else keep(act);
    }

  private:
    void attack(Cards cards) {
        hands[attacker] ^= cards, shown[attacker] &= ~cards;
        histories[attacker].attacked(cards);
        on_table = cards;
        phase = Phase::reply;
        if (!hands[1 - attacker]) end(attacker);  // H-10
    }
    void block(Cards cards) {
        const int defender = 1 - attacker;
        hands[defender] ^= cards, shown[defender] &= ~cards;
        const bool reversal = !hands[attacker] || several(on_table) || strength(cards) == strength(on_table);
        histories[defender].blocked(on_table, cards, reversal);
        discards[reversal ? defender : attacker] |= on_table | cards;
        on_table = 0;
        if (!reversal) return begin_turn(attacker, true);
        for (int seat : {defender, attacker})  // H-8
            if (left) hands[seat] |= draw[--left], histories[seat].drew();
        begin_turn(defender, false);
    }
    // The cards that a hit costs (H-12); none if it is a knockout.
    Cards lost_to_hit(Luck& luck) const {
        Cards hand = hands[1 - attacker], given = 0;
        const int cost = 1 + several(on_table);
        if (count(hand) < cost) return 0;
        for (int left_over = cost; left_over; left_over--) {
            Cards rest = hand & ~given;
            for (int skip = luck.below(count(rest)); skip; skip--) rest &= rest - 1;
            given |= lowest(rest);
        }
        return given;
    }
    void hit(Cards given) {
        const int defender = 1 - attacker;
        histories[defender].took_hit(on_table);
        if (!given) return end(attacker);  // H-9
        hands[defender] ^= given, hands[attacker] |= given;
        shown[defender] &= ~given, shown[attacker] |= given;
        discards[attacker] |= on_table;
        on_table = 0;
        begin_turn(attacker, true);
    }
    void pass() {
        histories[attacker].passed();
        if (left >= 2) {
            drawn[0] = draw[left - 1], drawn[1] = draw[left - 2];
            left -= 2;
            phase = Phase::keep;
            return;
        }
        if (left) hands[attacker] |= draw[--left], histories[attacker].drew();  // H-6
        begin_turn(1 - attacker, false);
    }
    void keep(Cards card) {
        const Cards given = (drawn[0] | drawn[1]) ^ card;
        drawn[0] = drawn[1] = 0;
        hands[attacker] |= card, hands[1 - attacker] |= given, shown[1 - attacker] |= given;
        histories[attacker].drew();
        histories[attacker].gave(given);
        begin_turn(1 - attacker, false);
    }
    void begin_turn(int next, bool pass_open) {
        attacker = next, may_pass = pass_open, phase = Phase::attack;
        if (hands[next]) return;  // H-11
        const int lead = count(discards[0]) - count(discards[1]);
        end(hands[1 - next] ? 1 - next : lead ? lead < 0 : DRAWN_GAME);
    }
    void end(int who) { phase = Phase::over, winner = who; }
};
