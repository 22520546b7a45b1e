// SPDX-License-Identifier: Apache-2.0
#include "manyone/report/trial_journal.hpp"

#include <cmath>

#include <fmt/format.h>

#include "manyone/base/errors.hpp"
#include "manyone/base/json_text.hpp"
#include "manyone/report/result_json.hpp"

namespace manyone {

namespace {

constexpr const char* kFormat = "manyone-trials";

std::string line(const Json& json) { return json.dump() + "\n"; }

/// Whether a comparison can have come to a trial like that.
bool plausible(const Trial& trial) {
  const auto is_parameter = [](double value) { return value > 0 && std::isfinite(value); };
  return trial.error >= 0 && trial.error <= 1 && trial.seconds >= 0 && trial.shared >= 0 &&
         is_parameter(trial.chosen.sigma) && is_parameter(trial.chosen.ridge);
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
                           "the journal belongs to another comparison (other tables, machines, protocol or seed); give "
                           "--resume another file");
        }
      } else {
        Trial trial;
        trial.repeat = json.at("repeat").get<int>();
        trial.fold = json.at("fold").get<int>();
        trial.error = json.at("error").get<double>();
        trial.seconds = json.at("seconds").get<double>();
        trial.shared = json.value("shared", 0L);
        trial.chosen = {json.at("sigma").get<double>(), json.at("ridge").get<double>()};
        trial.predicted = json.at("predicted").get<std::vector<int>>();
        if (!plausible(trial)) throw InputError(place, "not a trial with an error from 0 to 1; delete the line");
        trials_[{json.at("set").get<std::size_t>(), json.at("machine").get<std::size_t>(), trial.repeat, trial.fold}] =
            std::move(trial);
      }
    } catch (const Json::exception&) {
      throw InputError(place, "not a line of a journal of trials; remove the file to start anew");
    }
    whole = end + 1;
  }
  if (whole < text.size()) file_.cut(whole);
  if (number == 0) file_.append(line({{"format", kFormat}, {"version", 1}, {"plan", plan}}));
}

}  // namespace manyone
