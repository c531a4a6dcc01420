// The exact best response to a player in a game so small that all of it can be looked at.
#pragma once

#include <functional>
#include <map>
#include <tuple>

#include "table.hpp"

// How a player chooses: its acts, and how often it makes each, in proportion to these numbers.
using Policy = std::function<void(const Table&, Acts&, std::vector<double>&)>;

class BestResponse {
  public:
    BestResponse(int me, const Policy& policy) : me_(me), policy_(policy) {}

    struct Node {
        Table table;
        double chance;
    };
    using Nodes = std::vector<Node>;

    // What the best responder wins in these positions, which it can't tell apart, times how likely each is.
    double won(const Nodes& nodes) {
        const Table& any = nodes.front().table;
        if (any.over()) {
            double total = 0;
            for (const auto& [table, chance] : nodes) total += chance * table.share(me_);
            return total;
        }
        return any.asked() == me_ ? chosen(nodes) : answered(nodes);
    }

  private:
    // All that the best responder sees after an act, and did not know before it.
    using Seen = std::tuple<Cards, Cards, Cards, Cards, Cards, Cards, Cards, int, int, int, int, bool>;
    using Groups = std::map<Seen, Nodes>;

    double chosen(const Nodes& nodes) {
        Acts acts;
        nodes.front().table.candidates(acts);
        double best = 0;
        for (Cards act : acts) {
            Groups groups;
            for (const auto& node : nodes) play(node.table, act, node.chance, groups);
            best = std::max(best, won(groups));
        }
        return best;
    }
    double answered(const Nodes& nodes) {
        Groups groups;
        Acts acts;
        std::vector<double> odds;
        for (const auto& node : nodes) {
            policy_(node.table, acts, odds);
            double total = 0;
            for (double each : odds) total += each;
            for (std::size_t place = 0; place < acts.size(); place++)
                if (odds[place] > 0) play(node.table, acts[place], node.chance * odds[place] / total, groups);
        }
        return won(groups);
    }
    double won(const Groups& groups) {
        double total = 0;
        for (const auto& [seen, nodes] : groups) total += won(nodes);
        return total;
    }
    // Plays an act with each hit that it may cost and each card that may be drawn. Cards of the pile are not known before.
    void play(const Table& table, Cards act, double chance, Groups& groups) const {
        const bool hit = table.phase == Phase::reply && !act;
        const Cards hand = table.hands[1 - table.attacker];
        Acts given;
        if (hit) add_groups(given, hand, 1 + several(table.on_table));
        if (given.empty()) given.push_back(0);
        for (Cards cards : given) draw(table, act, cards, chance / double(given.size()), groups);
    }
    void draw(const Table& table, Cards act, Cards given, double chance, Groups& groups) const {
        Luck none(0);
        Table after = table;
        after.play(act, none, given);
        const int drawn = table.left - after.left;
        if (!drawn) return add(after, chance, groups);
        const Cards unseen = table.all & ~(table.hands[0] | table.hands[1] | table.discards[0] | table.discards[1] |
                                           table.on_table);
        for (Cards first = unseen; first; first &= first - 1)
            for (Cards second = drawn > 1 ? unseen & ~lowest(first) : 1; second; second &= second - 1) {
                const double ways = count(unseen) * (drawn > 1 ? count(unseen) - 1 : 1);
                after = table;
                after.draw[table.left - 1] = lowest(first);
                if (drawn > 1) after.draw[table.left - 2] = lowest(second);
                after.play(act, none, given);
                add(after, chance / ways, groups);
            }
    }
    void add(const Table& after, double chance, Groups& groups) const {
        const int other = 1 - me_;
        const bool choosing = after.phase == Phase::keep && after.attacker == me_;
        groups[{after.hands[me_], after.shown[me_], after.shown[other], after.discards[0], after.discards[1],
                after.on_table, choosing ? after.drawn[0] | after.drawn[1] : 0, count(after.hands[other]), after.left,
                after.attacker, int(after.phase), after.may_pass}]
            .push_back({after, chance});
    }
    int me_;
    const Policy& policy_;
};

// What it wins from the deal on, if seat 0 attacks first.
inline double best_response(const Pack& pack, int me, const Policy& policy) {
    Table table;
    table.all = pack.all();
    table.left = pack.pile;
    BestResponse response(me, policy);
    Acts mine, theirs;
    add_groups(mine, table.all, pack.dealt);
    double total = 0;
    for (Cards hand : mine) {
        theirs.clear();
        add_groups(theirs, table.all & ~hand, pack.dealt);
        table.hands[me] = hand;
        BestResponse::Nodes nodes;
        for (Cards other : theirs) {
            table.hands[1 - me] = other;
            nodes.push_back({table, 1.0 / double(mine.size() * theirs.size())});
        }
        total += response.won(nodes);
    }
    return total;
}
