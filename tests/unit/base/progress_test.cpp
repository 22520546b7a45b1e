// SPDX-License-Identifier: Apache-2.0
#include "base/progress.hpp"

#include <sstream>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace manyone {
namespace {

/// A stream whose text can be read back.
class Capture {
 public:
  Capture() : stream_(std::tmpfile()) {}
  ~Capture() { std::fclose(stream_); }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  std::FILE* stream() { return stream_; }
  std::string text() {
    std::string out(static_cast<std::size_t>(std::ftell(stream_)), '\0');
    std::rewind(stream_);
    out.resize(std::fread(out.data(), 1, out.size(), stream_));
    return out;
  }
  std::vector<nlohmann::json> lines() {
    std::vector<nlohmann::json> out;
    std::istringstream in(text());
    for (std::string line; std::getline(in, line);) out.push_back(nlohmann::json::parse(line));
    return out;
  }

 private:
  std::FILE* stream_;
};

void wait(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

TEST(BarObserver, ShortTasksShowNothing) {
  Capture capture;
  BarObserver bar(capture.stream());
  bar.begin("fit", 10);
  for (int i = 1; i <= 10; ++i) bar.update(i, "");
  bar.end();
  EXPECT_EQ(capture.text(), "");
}

TEST(BarObserver, LongTasksShowPercentageAndTimeLeft) {
  Capture capture;
  BarObserver bar(capture.stream());
  bar.begin("tune", 4);
  wait(1010);
  bar.update(1, "best error 3.2 %");
  bar.end();
  const std::string text = capture.text();
  double left = 0;
  ASSERT_EQ(std::sscanf(text.c_str(), "\r\033[Ktune [######..................] 25 %% %lf s left", &left), 1) << text;
  EXPECT_GE(left, 3.0);  // a quarter took a good second
  EXPECT_TRUE(text.ends_with(" s left, best error 3.2 %\r\033[K")) << text;
}

TEST(BarObserver, SaysHundredPercentOnlyWhenDone) {
  Capture capture;
  BarObserver bar(capture.stream());
  bar.begin("tune", 1000);
  wait(1010);
  bar.update(999, "");
  EXPECT_NE(capture.text().find(" 99 %"), std::string::npos);
}

TEST(BarObserver, UnknownTotalIsNoDivisionByZero) {
  Capture capture;
  BarObserver bar(capture.stream());
  bar.begin("read", 0);
  wait(1010);
  bar.update(5, "");
  EXPECT_NE(capture.text().find("  0 %  ? left"), std::string::npos);
}

TEST(BarObserver, NotesAreLines) {
  Capture capture;
  BarObserver bar(capture.stream());
  bar.note("tuned on 2000 of 20000 rows (`search=grid`: on all)");
  EXPECT_EQ(capture.text(), "note: tuned on 2000 of 20000 rows (search=grid: on all)\n");
}

TEST(NoteObserver, WritesNotesOnly) {
  Capture capture;
  NoteObserver notes(capture.stream());
  notes.begin("fit", 1);
  notes.update(1, "x");
  notes.end();
  notes.note("n");
  EXPECT_EQ(capture.text(), "note: n\n");
}

TEST(JsonObserver, EveryLineIsAnObject) {
  Capture capture;
  JsonObserver observer(capture.stream());
  observer.begin("tune", 4);
  wait(110);
  observer.update(2, "best error 3.2 %");
  observer.end();
  observer.note("done (`threads`)");
  const auto lines = capture.lines();
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0]["event"], "progress");
  EXPECT_EQ(lines[0]["done"], 0);
  EXPECT_TRUE(lines[0]["left"].is_null());
  EXPECT_EQ(lines[1]["task"], "tune");
  EXPECT_EQ(lines[1]["done"], 2);
  EXPECT_EQ(lines[1]["total"], 4);
  EXPECT_EQ(lines[1]["state"], "best error 3.2 %");
  EXPECT_DOUBLE_EQ(lines[1]["left"], lines[1]["seconds"]);  // half is done
  EXPECT_EQ(lines[2]["state"], "finished");
  EXPECT_EQ(lines[3], (nlohmann::json{{"event", "note"}, {"message", "done (threads)"}, {"parameters", {"threads"}}}));
}

TEST(JsonObserver, WritesAtMostTenLinesASecond) {
  Capture capture;
  JsonObserver observer(capture.stream());
  const auto start = std::chrono::steady_clock::now();
  observer.begin("tune", 10'000);
  for (int i = 0; i < 10'000; ++i) observer.update(i, "");
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_LE(static_cast<double>(capture.lines().size()), 1 + 10 * seconds);
}

TEST(JsonObserver, SurvivesInvalidUtf8AndLineBreaks) {
  Capture capture;
  JsonObserver observer(capture.stream());
  observer.begin("caf\xe9", 1);
  observer.note("label \"\xff\n\xc3\" has one row");
  const auto lines = capture.lines();
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0]["task"], "caf\uFFFD");
  EXPECT_EQ(lines[1]["message"], "label \"\uFFFD\n\uFFFD\" has one row");
}

TEST(Observers, FullDiskDoesNotStopTheWork) {
  std::FILE* full = std::fopen("/dev/full", "w");
  ASSERT_NE(full, nullptr);
  std::setvbuf(full, nullptr, _IONBF, 0);  // as stderr
  JsonObserver json(full);
  BarObserver bar(full);
  NoteObserver notes(full);
  EXPECT_NO_THROW(json.begin("fit", 1));
  EXPECT_NO_THROW(json.note("x"));
  EXPECT_NO_THROW(bar.note("x"));
  EXPECT_NO_THROW(notes.note("x"));
  std::fclose(full);
}

}  // namespace
}  // namespace manyone
