// SPDX-License-Identifier: Apache-2.0
#include "manyone/words.hpp"

#include <algorithm>
#include <cassert>

#include "base/worded.hpp"

namespace manyone {

Words::Words(const std::string& plain) : text_(without_marks(plain)) {}

std::string Words::with_marks(std::string_view format) {
  std::string out;
  bool inside = false;
  for (const char letter : format) {
    if (letter == '`') inside = !inside;
    out += letter != '`' ? letter : inside ? kOpen : kClose;
  }
  assert(!inside && "a backquote without its second");
  if (inside) out += kClose;
  return out;
}

std::string Words::without_marks(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (letter == kOpen || letter == kClose) {
      out += letter == kOpen ? "\\x0e" : "\\x0f";
    } else {
      out += letter;
    }
  }
  return out;
}

std::size_t Words::marks() const { return static_cast<std::size_t>(std::count(text_.begin(), text_.end(), kOpen)); }

std::string Words::as_in_recipes(std::string_view name, std::string_view value) {
  if (!value.starts_with('#')) return std::string(name).append(value);
  return std::string(name).append(name.empty() ? "" : " ").append(value.substr(1));
}

std::string Words::in(Spelling spelling) const {
  std::string out;
  std::string_view rest = text_;
  for (auto open = rest.find(kOpen); open != std::string_view::npos; open = rest.find(kOpen)) {
    out += rest.substr(0, open);
    const std::string_view mark = rest.substr(open + 1, rest.find(kClose) - open - 1);
    const std::size_t end = std::min(mark.find_first_of("=#"), mark.size());
    out += spelling(mark.substr(0, end), mark.substr(end));
    rest.remove_prefix(open + mark.size() + 2);
  }
  return out.append(rest);
}

std::vector<std::string> Words::parameters() const {
  std::vector<std::string> out;
  for (auto open = text_.find(kOpen); open != std::string::npos; open = text_.find(kOpen, open + 1)) {
    const std::string mark = text_.substr(open + 1, text_.find(kClose, open) - open - 1);
    const std::size_t end = std::min(mark.find_first_of("=#"), mark.size());
    if (end < mark.size() && mark[end] == '#') continue;
    std::string name = mark.substr(0, end);
    if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(std::move(name));
  }
  return out;
}

Words& Words::operator+=(const Words& more) {
  text_ += more.text_;
  return *this;
}

Words Wording::formatted(fmt::string_view format, fmt::format_args values, std::size_t marks) {
  const std::string_view text(format.data(), format.size());
  Words out;
  const std::string pattern = Words::with_marks(text);
  const auto in_pattern = static_cast<std::size_t>(std::count(pattern.begin(), pattern.end(), Words::kOpen));
  out.text_ = fmt::vformat(pattern, values);
  const auto closed = static_cast<std::size_t>(std::count(out.text_.begin(), out.text_.end(), Words::kClose));
  // A value that holds such a byte came from elsewhere: then nothing is a mark.
  if (out.marks() != in_pattern + marks || closed != in_pattern + marks) out.text_ = Words::without_marks(out.text_);
  return out;
}

}  // namespace manyone
