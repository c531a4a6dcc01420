// Players, matches between them, and learning from matches: SARSA(lambda) with Watkins' cut.
#pragma once

#include <cstdio>
#include <functional>

#include "net.hpp"
#include "thumb.hpp"

using Chooser = std::function<Cards(const Table&, Luck&)>;

// A level as it plays: "normal", "easy", or a file of weights, with the temperature that its acts are mixed by.
inline Chooser chooser_of(const std::string& name, double temperature) {
    if (name == "normal") return [](const Table& table, Luck&) { return thumb::act(Known(table, table.asked())); };
    if (name == "easy")
        return [](const Table& table, Luck& luck) {
            if (luck.random() >= 0.1) return thumb::act(Known(table, table.asked()));
            Acts acts;
            table.candidates(acts);
            return acts[luck.below(int(acts.size()))];
        };
    auto net = std::make_shared<PlayingNet>(Weights::read(name));
    return [net, temperature, acts = Acts(), values = std::vector<double>()](const Table& table, Luck& luck) mutable {
        table.candidates(acts);
        net->values(Known(table, table.asked()), acts, values);
        return acts[mixed(values, temperature, luck.random())];
    };
}

// A net that no longer learns, as a player.
inline Chooser chooser_of(const LearningNet& learned, double temperature) {
    auto net = std::make_shared<LearningNet>(learned);
    return [net, temperature, acts = Acts(), values = std::vector<double>(), row = Row()](const Table& table,
                                                                                          Luck& luck) mutable {
        table.candidates(acts);
        net->values(Known(table, table.asked()), acts, values, row);
        return acts[mixed(values, temperature, luck.random())];
    };
}

struct Share {
    double total = 0, squares = 0;
    int matches = 0;
    void add(double share) { total += share, squares += share * share, matches++; }
    double mean() const { return total / matches; }
    double width() const { return 1.96 * std::sqrt((squares / matches - mean() * mean()) / matches); }
};

// What one wins from the other over so many matches, sitting first in every second.
inline Share judged(const Pack& pack, const Chooser& one, const Chooser& other, int matches, std::uint64_t seed) {
    Luck luck(seed);
    Share share;
    for (int number = 0; number < matches; number++) {
        Table table = Table::dealt(pack, luck);
        const int mine = number % 2;
        while (!table.over()) table.play((table.asked() == mine ? one : other)(table, luck), luck);
        share.add(table.share(mine));
    }
    return share;
}

struct Settings {
    Pack pack;
    int matches = 2'000'000;
    std::uint64_t seed = 1;
    float rate = 0.02f, last_rate = 0.002f;  // at the beginning and at the end
    double temperature = 0;  // how the learner mixes its acts
    double explore = 0.08;
    double lambda = 0.85;
};

// One that learns, by the acts of its seats in the matches that it plays.
class Learner {
  public:
    Learner(Settings settings, LearningNet net) : net(std::move(net)), kept(this->net), settings_(settings) {}

    LearningNet net, kept;  // as it is, and the mean of what it lately was

    // Play a match, learning with these seats; an opponent has the others. The share of the first seat that learns.
    double play(const std::vector<int>& seats, const Chooser* opponent, Luck& luck, float done) {
        Table table = Table::dealt(settings_.pack, luck);
        for (auto& each : seen_) each.clear();
        while (!table.over()) {
            const int asked = table.asked();
            const bool mine = std::find(seats.begin(), seats.end(), asked) != seats.end();
            table.play(mine ? choose(table, luck) : (*opponent)(table, luck), luck);
        }
        const float rate = settings_.rate * (1 - done) + settings_.last_rate * done;
        for (int seat : seats) learn(seen_[seat], table.share(seat), rate);
        return table.share(seats[0]);
    }

    Cards choose(const Table& table, Luck& luck) {
        table.candidates(acts_);
        auto& seen = seen_[table.asked()];
        seen.emplace_back();
        auto& [row, value, explored] = seen.back();
        const Known known(table, table.asked());
        net.values(known, acts_, values_, row);
        value = worth(values_);
        explored = luck.random() < settings_.explore;
        const int chosen = explored ? luck.below(int(acts_.size())) : mixed(values_, settings_.temperature, luck.random());
        Changes changes;
        act_features(known, row, acts_[chosen], changes);
        for (int at = 0; at < changes.size; at++) row[changes.each[at].first] = changes.each[at].second;
        return acts_[chosen];
    }

  private:
    struct Seen {
        Row row;
        double value;
        bool explored;
    };
    // The share of the win that the learner expects by its own way to choose.
    double worth(const std::vector<double>& values) const {
        const double best = *std::max_element(values.begin(), values.end());
        if (settings_.temperature <= 0) return 1 / (1 + std::exp(-best));
        double total = 0, share = 0;
        for (double value : values) {
            const double below = (best - value) / settings_.temperature;
            if (below >= 3) continue;
            const double weight = std::exp(-below);
            total += weight, share += weight / (1 + std::exp(-value));
        }
        return share / total;
    }
    // The lambda-return, cut before an act made to explore, because what came of that tells nothing of those before.
    void learn(const std::vector<Seen>& seen, double share, float rate) {
        double target = share;
        for (std::size_t at = seen.size(); at--;) {
            net.learn(seen[at].row, float(target), rate);
            target = seen[at].explored ? seen[at].value
                                       : settings_.lambda * target + (1 - settings_.lambda) * seen[at].value;
        }
    }
    Settings settings_;
    std::vector<Seen> seen_[2];
    Acts acts_;
    std::vector<double> values_;
};
