// Haymaker's fast twin, for training and measuring alone: see __init__.py.
#include <chrono>
#include <iostream>
#include <map>
#include <sstream>

#include "exact.hpp"
#include "learn.hpp"

namespace {

// What is asked on the command line, as name=value.
class Asked {
  public:
    Asked(int count, char** words) {
        for (int at = 2; at < count; at++) {
            const std::string word = words[at];
            const auto equals = word.find('=');
            if (equals == std::string::npos) throw std::runtime_error("name=value, not " + word);
            values_[word.substr(0, equals)] = word.substr(equals + 1);
        }
    }
    std::string text(const std::string& name, const std::string& otherwise) const {
        const auto found = values_.find(name);
        return found == values_.end() ? otherwise : found->second;
    }
    double number(const std::string& name, double otherwise) const {
        const auto found = values_.find(name);
        return found == values_.end() ? otherwise : std::stod(found->second);
    }

  private:
    std::map<std::string, std::string> values_;
};

Settings settings_of(const Asked& asked) {
    Settings found;
    found.pack.ranks = int(asked.number("ranks", found.pack.ranks));
    found.pack.suits = int(asked.number("suits", found.pack.suits));
    found.pack.dealt = int(asked.number("dealt", found.pack.dealt));
    found.pack.pile = int(asked.number("pile", found.pack.pile));
    found.matches = int(asked.number("matches", found.matches));
    found.seed = std::uint64_t(asked.number("seed", double(found.seed)));
    found.rate = float(asked.number("rate", found.rate));
    found.last_rate = float(asked.number("last_rate", found.last_rate));
    found.temperature = asked.number("temperature", found.temperature);
    found.explore = asked.number("explore", found.explore);
    found.lambda = asked.number("lambda", found.lambda);
    return found;
}

void say(const char* what, int matches, const Share& share) {
    std::printf("%s %d %.4f %.4f %d\n", what, matches, share.mean(), share.width(), share.matches);
    std::fflush(stdout);
}

// The net that learning begins with: that of a file, or one that has learned nothing.
LearningNet begun(const std::string& file, int more, Luck& luck) {
    if (file == "nothing") return LearningNet(LearningNet::blank(more, luck), 0, luck);
    return LearningNet(Weights::read(file), more, luck);
}

// Learns a best response to a level.
void attack(const Asked& asked) {
    const Settings settings = settings_of(asked);
    Luck luck(settings.seed);
    Learner learner(settings, begun(asked.text("begin", "nothing"), int(asked.number("more", 32)), luck));
    const double mixes = asked.number("level_temperature", 0);
    const Chooser level = chooser_of(asked.text("level", "normal"), mixes);
    const int rounds = 10, judges = int(asked.number("judged", 6000));
    const double horizon = asked.number("horizon", 0.1);
    for (int round = 0; round < rounds; round++) {
        Share share;
        for (int match = 0; match < settings.matches / rounds; match++) {
            const int number = round * (settings.matches / rounds) + match;
            share.add(learner.play({number % 2}, &level, luck, float(number) / settings.matches));
            if (number % 100 == 99) learner.kept.follow(learner.net, float(1 / (1 + horizon * number / 100)));
        }
        say("learning", (round + 1) * (settings.matches / rounds), share);
        const int last = round == rounds - 1 ? 10 : 1;
        say("kept", (round + 1) * (settings.matches / rounds),
            judged(settings.pack, chooser_of(learner.kept, 0), level, judges * last, settings.seed + 1000));
    }
    if (const auto out = asked.text("out", ""); !out.empty()) learner.kept.weights().write(out);
}

// Learns by matches against itself and against what it was before.
void train(const Asked& asked) {
    const Settings settings = settings_of(asked);
    Luck luck(settings.seed);
    Learner learner(settings, begun(asked.text("begin", "nothing"), int(asked.number("more", 64)), luck));
    const int every = int(asked.number("every", 100'000)), judges = int(asked.number("judged", 4000));
    const double past = asked.number("past", 0.5), horizon = asked.number("horizon", 0.1);
    const std::string out = asked.text("out", ""), old = asked.text("old", "normal");
    std::vector<Chooser> before;
    Share share;
    for (int number = 0; number < settings.matches; number++) {
        const float done = float(number) / settings.matches;
        if (!before.empty() && luck.random() < past) {
            share.add(learner.play({number % 2}, &before[luck.below(int(before.size()))], luck, done));
        } else {
            learner.play({0, 1}, nullptr, luck, done);
        }
        if (number % 100 == 99) learner.kept.follow(learner.net, float(1 / (1 + horizon * number / 100)));
        if ((number + 1) % every) continue;
        if (share.matches) say("against the past", number + 1, share);
        share = {};
        before.push_back(chooser_of(learner.net, settings.temperature));
        const Chooser kept = chooser_of(learner.kept, settings.temperature);
        say("against old", number + 1, judged(settings.pack, kept, chooser_of(old, 0), judges, 7));
        if (!out.empty()) learner.kept.weights().write(out);
    }
}

// Plays given matches again, and says of each question what this twin thinks of it (compare.py).
void compare(const Asked& asked) {
    PlayingNet net(Weights::read(asked.text("weights", "")));
    const double temperature = asked.number("temperature", 0);
    Luck luck(0);
    Table table;
    Acts acts;
    std::vector<double> values;
    for (std::string line, word; std::getline(std::cin, line);) {
        std::istringstream words(line);
        words >> word;
        if (word == "match") {
            table = Table();
            table.all = Pack().all();
            words >> table.attacker >> table.hands[0] >> table.hands[1];
            while (table.left < 16 && words >> table.draw[table.left]) table.left++;
            std::reverse(table.draw, table.draw + table.left);
            continue;
        }
        const Cards tried = std::stoull(word);
        Cards act, given;
        std::string drawn;
        words >> drawn >> act >> given;
        const Known known(table, table.asked());
        table.candidates(acts);
        net.values(known, acts, values);
        std::cout << table.asked() << ' ' << table.legal(tried) << ' ' << thumb::act(known) << ' '
                  << acts[mixed(values, temperature, std::strtod(drawn.c_str(), nullptr))];
        for (Cards each : acts) std::cout << ' ' << each;
        std::cout << '\n';
        table.play(act, luck, given);
        if (table.over()) std::cout << "over " << table.winner << '\n';
    }
}

// What an exact best response wins from a player of a small game, as the first and as the second to attack.
void exploit(const Asked& asked) {
    const Settings settings = settings_of(asked);
    PlayingNet net(Weights::read(asked.text("level", "")));
    Acts acts;
    std::vector<double> values;
    const Policy policy = [&](const Table& table, Acts& chosen, std::vector<double>& odds) {
        table.candidates(chosen);
        net.values(Known(table, table.asked()), chosen, values);
        odds = odds_of(values, settings.temperature);
    };
    for (int me : {0, 1}) {
        std::printf("exact %d %.6f\n", me, best_response(settings.pack, me, policy));
        std::fflush(stdout);
    }
}

// What one player wins from another.
void judge(const Asked& asked) {
    const Settings settings = settings_of(asked);
    const Chooser one = chooser_of(asked.text("one", "normal"), asked.number("one_temperature", 0));
    const Chooser other = chooser_of(asked.text("other", "normal"), asked.number("other_temperature", 0));
    say("judged", settings.matches, judged(settings.pack, one, other, settings.matches, settings.seed));
}

}  // namespace

int main(int count, char** words) {
    const std::map<std::string, std::function<void(const Asked&)>> commands = {
        {"attack", attack}, {"compare", compare}, {"exploit", exploit}, {"judge", judge}, {"train", train}};
    try {
        const auto command = commands.find(count > 1 ? words[1] : "");
        if (command == commands.end()) throw std::runtime_error("twin attack|compare|exploit|judge|train name=value ...");
        command->second(Asked(count, words));
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
