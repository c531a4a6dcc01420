// The net of *hard*, twice: as the bot plays it, to the last bit (engines/players/haymaker/net.py), and as it learns.
#pragma once

#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>

#include "features.hpp"

// The numbers of a file of weights: a row of the hidden layer for each feature, its biases, the output's weights and bias.
// A file of another number of features is one from before there was history; the missing rows are 0.
struct Weights {
    static constexpr int BEFORE_HISTORY = HISTORY;
    int hidden = 0;
    std::vector<float> rows;  // (FEATURES + 1) x hidden, the biases last
    std::vector<float> output;
    float bias = 0;

    static Weights read(const std::string& file) {
        std::ifstream stream(file, std::ios::binary | std::ios::ate);
        if (!stream) throw std::runtime_error("there is no file " + file);
        std::vector<float> numbers(std::size_t(stream.tellg()) / sizeof(float));
        stream.seekg(0).read(reinterpret_cast<char*>(numbers.data()), numbers.size() * sizeof(float));
        const int size = int(numbers.size()) - 1;
        const int features = size % (FEATURES + 2) == 0 ? FEATURES : BEFORE_HISTORY;
        if (size <= 0 || size % (features + 2)) throw std::runtime_error("these are not weights: " + file);
        Weights found;
        const int hidden = found.hidden = size / (features + 2);
        auto next = numbers.begin();
        found.rows.assign(next, next + features * hidden);
        next += features * hidden;
        found.rows.resize(FEATURES * hidden);
        found.rows.insert(found.rows.end(), next, next + hidden);
        found.output.assign(next + hidden, next + 2 * hidden);
        found.bias = numbers.back();
        return found;
    }
    void write(const std::string& file) const {
        std::ofstream stream(file, std::ios::binary);
        for (const auto* part : {&rows, &output})
            stream.write(reinterpret_cast<const char*>(part->data()), part->size() * sizeof(float));
        stream.write(reinterpret_cast<const char*>(&bias), sizeof bias);
        if (!stream.flush()) throw std::runtime_error("cannot write " + file);
    }
};

// How often each of some acts is chosen: in proportion to these numbers.
inline const std::vector<double>& odds_of(const std::vector<double>& values, double temperature) {
    static thread_local std::vector<double> found;
    found.assign(values.size(), 0);
    const auto best = std::max_element(values.begin(), values.end());
    if (temperature <= 0) {
        found[best - values.begin()] = 1;
        return found;
    }
    for (std::size_t place = 0; place < values.size(); place++) {
        const double below = (*best - values[place]) / temperature;
        if (below < 3) found[place] = std::exp(-below);
    }
    return found;
}

// Which of some acts is chosen: the best, or one that is nearly as good. `luck` is from 0 to below 1.
inline int mixed(const std::vector<double>& values, double temperature, double luck) {
    const auto& odds = odds_of(values, temperature);
    double total = 0;
    for (double each : odds) total += each;
    double rest = luck * total;
    for (std::size_t place = 0; place < odds.size(); place++)
        if ((rest -= odds[place]) < 0 && odds[place] > 0) return int(place);
    return int(std::max_element(values.begin(), values.end()) - values.begin());
}

constexpr int WEIGHT_BITS = 20, VALUE_BITS = 16;

// Plays as the bot does. Its whole numbers stay below 2^53, so that they are exact in doubles.
class PlayingNet {
  public:
    explicit PlayingNet(const Weights& weights) : hidden_(weights.hidden), bias_(weights.bias) {
        if (hidden_ % 8) throw std::runtime_error("hidden units by eights");
        for (float each : weights.output) signs_.push_back(each < 0 ? -1 : 1);
        for (std::size_t at = 0; at < weights.rows.size(); at++) {
            const double scaled = double(weights.rows[at]) * std::abs(double(weights.output[at % hidden_]));
            const double whole = std::nearbyint(scaled * (1 << WEIGHT_BITS));
            if (std::abs(whole) >= 1 << 24) throw std::runtime_error("a weight is too large");
            rows_.push_back(float(whole));
        }
        before_.resize(hidden_), after_.resize(hidden_);
    }
    void values(const Known& known, const Acts& acts, std::vector<double>& found) {
        Row row;
        situation_features(known, row);
        std::fill(before_.begin(), before_.end(), 0.0);
        add(before_, FEATURES, ONE);
        for (int feature = 0; feature < FEATURES; feature++)
            if (row[feature] != 0) add(before_, feature, std::trunc(row[feature] * ONE));
        Changes changes;
        found.clear();
        for (Cards act : acts) {
            act_features(known, row, act, changes);
            after_ = before_;
            for (int at = 0; at < changes.size; at++) {
                const auto [feature, value] = changes.each[at];
                const double by = value - row[feature];
                if (by != 0) add(after_, feature, std::trunc(by * ONE));
            }
            double totals[8] = {}, total = 0;  // side by side, which is faster
            for (int unit = 0; unit < hidden_; unit += 8)
                for (int at = 0; at < 8; at++) totals[at] += signs_[unit + at] * std::max(0.0, after_[unit + at]);
            for (double each : totals) total += each;
            found.push_back(bias_ + total / double(std::uint64_t(1) << (WEIGHT_BITS + VALUE_BITS)));
        }
    }

  private:
    static constexpr double ONE = 1 << VALUE_BITS;
    void add(std::vector<double>& units, int feature, double value) const {
        const float* __restrict row = &rows_[std::size_t(feature) * hidden_];
        double* __restrict to = units.data();
        for (int unit = 0; unit < hidden_; unit++) to[unit] += value * double(row[unit]);
    }
    int hidden_;
    double bias_;
    std::vector<float> rows_;  // whole numbers below 2^24, which are exact
    std::vector<double> signs_, before_, after_;
};

// A net that learns: AdaGrad (Duchi, Hazan and Singer, 2011) on the cross-entropy between its estimate and a target.
class LearningNet {
  public:
    static constexpr int MOST_HIDDEN = 256;

    // The weights and so many more units, which begin at random and count for nothing in the output.
    LearningNet(Weights weights, int more, Luck& luck) : hidden_(weights.hidden + more), bias_(weights.bias) {
        if (hidden_ > MOST_HIDDEN || hidden_ % 16) throw std::runtime_error("hidden units by sixteens, 256 at most");
        for (int feature = 0; feature <= FEATURES; feature++) {
            const float* row = &weights.rows[std::size_t(feature) * weights.hidden];
            rows_.insert(rows_.end(), row, row + weights.hidden);
            for (int unit = 0; unit < more; unit++)
                rows_.push_back(feature == FEATURES ? 0 : float(0.3 * (luck.random() - luck.random())));
        }
        output_ = weights.output;
        output_.resize(hidden_);
        for (int unit = weights.hidden; unit < hidden_; unit++) output_[unit] = float(0.02 * (luck.random() - 0.5));
        row_squares_.assign(rows_.size(), BEGIN), output_squares_.assign(hidden_, BEGIN);
    }
    static Weights blank(int hidden, Luck& luck) {
        Weights weights;
        weights.hidden = hidden;
        for (int at = 0; at < (FEATURES + 1) * hidden; at++)
            weights.rows.push_back(at < FEATURES * hidden ? float(0.3 * (luck.random() - luck.random())) : 0);
        for (int at = 0; at < hidden; at++) weights.output.push_back(float(0.25 * (luck.random() - luck.random())));
        return weights;
    }
    Weights weights() const { return {hidden_, rows_, output_, bias_}; }

    void values(const Known& known, const Acts& acts, std::vector<double>& found, Row& row) {
        situation_features(known, row);
        alignas(64) float before[MOST_HIDDEN], after[MOST_HIDDEN];
        std::memcpy(before, &rows_[std::size_t(FEATURES) * hidden_], hidden_ * sizeof(float));
        for (int feature = 0; feature < FEATURES; feature++)
            if (row[feature] != 0) add(before, feature, float(row[feature]));
        Changes changes;
        found.clear();
        for (Cards act : acts) {
            act_features(known, row, act, changes);
            std::memcpy(after, before, hidden_ * sizeof(float));
            for (int at = 0; at < changes.size; at++) {
                const auto [feature, value] = changes.each[at];
                if (value != row[feature]) add(after, feature, float(value - row[feature]));
            }
            found.push_back(output_of(after));
        }
    }

    // Learn from the features of an act that was worth `target`.
    void learn(const Row& row, float target, float rate) {
        alignas(64) float units[MOST_HIDDEN], back[MOST_HIDDEN];
        std::memcpy(units, &rows_[std::size_t(FEATURES) * hidden_], hidden_ * sizeof(float));
        for (int feature = 0; feature < FEATURES; feature++)
            if (row[feature] != 0) add(units, feature, float(row[feature]));
        const float error = float(1 / (1 + std::exp(-output_of(units)))) - target;
        for (int unit = 0; unit < hidden_; unit++) back[unit] = units[unit] > 0 ? error * output_[unit] : 0;
        for (int unit = 0; unit < hidden_; unit++) units[unit] = units[unit] > 0 ? error * units[unit] : 0;
        step(output_.data(), output_squares_.data(), units, 1, rate);
        for (int feature = 0; feature < FEATURES; feature++)
            if (row[feature] != 0) learn_row(feature, back, float(row[feature]), rate);
        learn_row(FEATURES, back, 1, rate);
        bias_squares_ += error * error;
        bias_ -= rate * error / std::sqrt(bias_squares_);
    }

    // Come nearer to another net, by this part of the way.
    void follow(const LearningNet& other, float part) {
        for (std::size_t at = 0; at < rows_.size(); at++) rows_[at] += part * (other.rows_[at] - rows_[at]);
        for (int unit = 0; unit < hidden_; unit++) output_[unit] += part * (other.output_[unit] - output_[unit]);
        bias_ += part * (other.bias_ - bias_);
    }

  private:
    static constexpr float BEGIN = 0.1f;
    void add(float* __restrict units, int feature, float value) const {
        const float* __restrict row = &rows_[std::size_t(feature) * hidden_];
        for (int unit = 0; unit < hidden_; unit++) units[unit] += value * row[unit];
    }
    double output_of(const float* __restrict units) const {
        const float* __restrict output = output_.data();
        float totals[16] = {};
        for (int unit = 0; unit < hidden_; unit += 16)
            for (int at = 0; at < 16; at++)
                totals[at] += output[unit + at] * (units[unit + at] > 0 ? units[unit + at] : 0);
        float total = bias_;
        for (float each : totals) total += each;
        return total;
    }
    void learn_row(int feature, const float* back, float value, float rate) {
        step(&rows_[std::size_t(feature) * hidden_], &row_squares_[std::size_t(feature) * hidden_], back, value, rate);
    }
    void step(float* __restrict weights, float* __restrict squares, const float* __restrict slopes, float value,
              float rate) const {
        for (int unit = 0; unit < hidden_; unit++) {
            const float slope = slopes[unit] * value;
            squares[unit] += slope * slope;
            weights[unit] -= rate * slope / std::sqrt(squares[unit]);
        }
    }
    int hidden_;
    float bias_, bias_squares_ = BEGIN;
    std::vector<float> rows_, output_, row_squares_, output_squares_;
};
