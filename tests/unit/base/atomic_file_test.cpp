// SPDX-License-Identifier: Apache-2.0
//
// A save is all or nothing: killed savers, full disks and odd targets.
#include "base/atomic_file.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "manyone/errors.hpp"

namespace manyone {
namespace {

namespace fs = std::filesystem;

void save(const std::string& path, std::string_view first, std::string_view second = "") {
  const std::vector<std::span<const std::byte>> pieces = {std::as_bytes(std::span(first)),
                                                          std::as_bytes(std::span(second))};
  write_file_atomically(path, pieces);
}

std::string content(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class AtomicFileTest : public testing::Test {
 protected:
  AtomicFileTest() : folder_(testing::TempDir() + "atomic_file_" + std::to_string(::getpid())) {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
  }
  ~AtomicFileTest() override { fs::remove_all(folder_); }

  std::string path() const { return folder_ + "/model"; }
  std::size_t files() const { return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {})); }

  std::string folder_;
};

TEST_F(AtomicFileTest, ReplacesTheWholeFile) {
  save(path(), "a much longer old content");
  save(path(), "new ", "content");
  EXPECT_EQ(content(path()), "new content");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, KeepsPermissionsAndLinks) {
  save(path(), "old");
  fs::permissions(path(), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink(path(), folder_ + "/link");
  save(folder_ + "/link", "new");
  EXPECT_TRUE(fs::is_symlink(folder_ + "/link"));
  EXPECT_EQ(content(path()), "new");
  EXPECT_EQ(fs::status(path()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(AtomicFileTest, RefusesWhatCannotBeReplaced) {
  EXPECT_THROW(save(folder_ + "/none/model", "x"), ConfigError);
  EXPECT_THROW(save(folder_, "x"), ConfigError);
  EXPECT_THROW(save("", "x"), ConfigError);
  EXPECT_THROW(save(folder_ + "/model/", "x"), ConfigError);
}

TEST_F(AtomicFileTest, DevicesAndPipesAreWrittenInPlace) {
  save("/dev/null", "x");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_THROW(save("/dev/full", "x"), InputError);
  ASSERT_EQ(::mkfifo(path().c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = content(path()); });
  save(path(), "through ", "it");
  reader.join();
  EXPECT_EQ(read, "through it");
  EXPECT_TRUE(fs::is_fifo(path()));
}

TEST_F(AtomicFileTest, ALinkToNothingYetIsFollowed) {
  fs::create_symlink("made", folder_ + "/link");
  save(folder_ + "/link", "new");
  EXPECT_TRUE(fs::is_symlink(folder_ + "/link"));
  EXPECT_EQ(content(folder_ + "/made"), "new");
}

TEST_F(AtomicFileTest, NothingIsThereUntilItIsFinished) {
  {
    AtomicFile file(path());
    file.write("half");
    EXPECT_LE(files(), 1u);  // a temporary at most
    EXPECT_FALSE(fs::exists(path()));
  }
  EXPECT_EQ(files(), 0u);
  AtomicFile file(path());
  file.write("whole");
  file.finish();
  EXPECT_EQ(content(path()), "whole");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, AFileOfTheSameNameMadeMeanwhileIsReplaced) {
  AtomicFile file(path());
  file.write("ours");
  save(path(), "theirs");
  file.finish();
  EXPECT_EQ(content(path()), "ours");
  EXPECT_EQ(files(), 1u);
}

/// Ends a child process with 0 when the check holds.
template <class Check>
void expect_in_child(Check check) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) ::_exit(check() ? 0 : 1);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST_F(AtomicFileTest, FullDiskLeavesTheOldFileAndNoTemporary) {
  save(path(), "old");
  expect_in_child([&] {  // a limit on the file size fails in write() just as a full disk does
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {4096, 4096};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
    try {
      save(path(), std::string(4000, 'x'), std::string(4000, 'y'));
    } catch (const InputError& error) {
      return std::string(error.what()).find("File too large") != std::string::npos;
    }
    return false;
  });
  EXPECT_EQ(content(path()), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, NoPermissionIsAConfigError) {
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  expect_in_child([&] {
    if (::geteuid() == 0 && ::setuid(65534) != 0) return false;  // root may write anywhere
    try {
      save(path(), "x");
    } catch (const ConfigError& error) {
      return std::string(error.what()).find("Permission denied") != std::string::npos;
    }
    return false;
  });
  fs::permissions(folder_, fs::perms::owner_all);
}

TEST_F(AtomicFileTest, KilledSaverLeavesOneCompleteFile) {
  // Each content is one letter many times: a mixture or a short file would show.
  constexpr std::size_t size = 200'000;
  const auto start = std::chrono::steady_clock::now();
  save(path(), std::string(size, 'a'));
  const std::chrono::duration<double, std::micro> one_save = std::chrono::steady_clock::now() - start;
  const auto longest = 5000 + 5 * static_cast<std::uint64_t>(one_save.count());  // disks differ
  Random random(1);
  std::size_t fresh = 0;
  for (int round = 0; round < 60; ++round) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (char letter = 'b';; letter = letter == 'z' ? 'b' : static_cast<char>(letter + 1)) {
        save(path(), std::string(size / 2, letter), std::string(size / 2, letter));
      }
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random.below(longest)));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const std::string now = content(path());
    ASSERT_EQ(now.size(), size);
    ASSERT_EQ(now, std::string(size, now[0]));
    fresh += now[0] != 'a';
  }
  EXPECT_GT(fresh, 0u) << "no child lived long enough to save";
  for (const auto& file : fs::directory_iterator(folder_)) {
    const std::string name = file.path().filename();
    EXPECT_TRUE(name == "model" || name.starts_with("model.tmp-")) << name;
  }
}

}  // namespace
}  // namespace manyone
