// SPDX-License-Identifier: Apache-2.0
#include "result/trial_journal.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/json_text.hpp"
#include "data/records/cell.hpp"
#include "manyone/errors.hpp"
#include "result/result_json.hpp"

namespace manyone {

namespace {

constexpr const char* kFormat = "manyone-trials";

std::string line(const Json& json) { return json.dump() + "\n"; }

/// Whether a comparison can have come to a trial like that.
bool plausible(const Trial& trial) {
  constexpr double kMostSeconds = 1e9;
  const auto is_parameter = [](double value) { return value > 0 && std::isfinite(value); };
  return trial.error >= 0 && trial.error <= 1 && trial.seconds >= 0 && trial.seconds <= kMostSeconds &&
         trial.shared >= 0 && is_parameter(trial.chosen.sigma) && is_parameter(trial.chosen.ridge);
}

/// A whole number from `least` on, as `add` writes it.
int whole_number(const Json& json, int least, const Place& place) {
  const bool whole = json.is_number_integer() && (json.is_number_unsigned() || least < 0);
  if (whole && json >= least && json <= std::numeric_limits<int>::max()) return json.get<int>();
  throw InputError(place,
                   fmt::format("expected a whole number from {} on, found {}", least,
                               shown(json.dump(-1, ' ', true, Json::error_handler_t::replace))),
                   "delete the line");
}

TrialPlace place_in(const Json& json, const Place& place) {
  const auto number = [&](const char* key) { return whole_number(json.at(key), 0, place); };
  return {static_cast<std::size_t>(number("set")), static_cast<std::size_t>(number("machine")), number("repeat"),
          number("fold")};
}

}  // namespace

std::unique_ptr<TrialJournal> TrialJournal::open(const std::string& path, std::uint64_t plan) {
  std::unique_ptr<TrialJournal> out(new TrialJournal(path));
  out->load(plan);
  return out;
}

const Trial* TrialJournal::find(const TrialPlace& place) const {
  const auto found = trials_.find(place);
  return found == trials_.end() ? nullptr : &found->second;
}

void TrialJournal::add(const TrialPlace& place, const Trial& trial) {
  file_.append(line({{"set", place.set},
                     {"machine", place.contestant},
                     {"repeat", place.repeat},
                     {"fold", place.fold},
                     {"error", trial.error},
                     {"seconds", trial.seconds},
                     {"shared", trial.shared},
                     {"sigma", trial.chosen.sigma},
                     {"ridge", trial.chosen.ridge},
                     {"predicted", trial.predicted}}));
  trials_[place] = trial;
}

void TrialJournal::load(std::uint64_t plan) {
  const std::string header = line({{"format", kFormat}, {"version", 1}, {"plan", plan}});
  if (!file_.begins_with_short_line()) {
    throw InputError(Place{file_.path(), 1}, "not a journal of trials", "give `resume` another file", "resume");
  }
  const std::string text = file_.content();
  std::size_t whole = 0;
  std::size_t number = 0;
  while (true) {
    const std::size_t end = text.find('\n', whole);
    if (end == std::string::npos) break;
    ++number;
    const Place place{file_.path(), number, 0};
    const Json json = parse_json<Json>(std::string_view(text).substr(whole, end - whole));
    try {
      if (number == 1) {
        if (json.at("format") != kFormat || json.at("version") != 1) throw InputError(place, "not a journal of trials");
        if (json.at("plan") != plan) {
          throw InputError(place,
                           "the journal belongs to another comparison (other tables, machines, protocol or seed)",
                           "give `resume` another file", "resume");
        }
      } else {
        const TrialPlace at = place_in(json, place);
        Trial trial;
        trial.repeat = at.repeat;
        trial.fold = at.fold;
        trial.error = json.at("error").get<double>();
        trial.seconds = json.at("seconds").get<double>();
        trial.shared = json.value("shared", 0L);
        trial.chosen = {json.at("sigma").get<double>(), json.at("ridge").get<double>()};
        for (const Json& predicted : json.at("predicted"))
          trial.predicted.push_back(whole_number(predicted, -1, place));
        if (!plausible(trial)) throw InputError(place, "not a trial with an error from 0 to 1", "delete the line");
        trials_[at] = std::move(trial);
      }
    } catch (const Json::exception&) {
      throw InputError(place, "not a line of a journal of trials", "remove the file to start anew");
    }
    whole = end + 1;
  }
  if (number == 0 && !header.starts_with(text)) {
    throw InputError(Place{file_.path(), 1}, "not a journal of trials", "give `resume` another file", "resume");
  }
  if (whole < text.size()) file_.cut(whole);
  if (number == 0) file_.append(header);
}

}  // namespace manyone
