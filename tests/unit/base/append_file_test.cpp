// SPDX-License-Identifier: Apache-2.0
#include "base/append_file.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "manyone/errors.hpp"

namespace manyone {
namespace {

class AppendFileTest : public testing::Test {
 protected:
  AppendFileTest() : path_(testing::TempDir() + "append_file_" + std::to_string(::getpid())) { remove(); }
  ~AppendFileTest() override { remove(); }
  void remove() const { std::filesystem::remove_all(path_); }

  std::string path_;
};

TEST_F(AppendFileTest, GrowsFromRunToRun) {
  AppendFile(path_).append("one\n");
  AppendFile file(path_);
  file.append("two\n");
  EXPECT_EQ(file.content(), "one\ntwo\n");
}

TEST_F(AppendFileTest, GrowsFromWhereItWasCut) {
  AppendFile file(path_);
  file.append("one\ntw");
  file.cut(4);
  file.append("three\n");
  EXPECT_EQ(file.content(), "one\nthree\n");
}

TEST_F(AppendFileTest, IsOpenOnlyOnce) {
  {
    const AppendFile file(path_);
    EXPECT_THROW(AppendFile{path_}, ConfigError);
  }
  EXPECT_NO_THROW(AppendFile{path_});
}

TEST_F(AppendFileTest, RefusesWhatIsNoFileItCanWrite) {
  EXPECT_THROW(AppendFile(path_ + "/none/file"), ConfigError);
  EXPECT_THROW(AppendFile(testing::TempDir()), ConfigError);
  EXPECT_THROW(AppendFile("/dev/null"), ConfigError);
  EXPECT_THROW(AppendFile(""), ConfigError);
}

TEST_F(AppendFileTest, FullDiskLeavesNoPartOfTheText) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {  // a limit on the file size fails in write() just as a full disk does
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {10, 10};
    bool refused = false;
    AppendFile file(path_);
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(2);
    file.append("first\n");
    try {
      file.append("second\n");
    } catch (const InputError&) {
      refused = true;
    }
    ::_exit(refused && file.content() == "first\n" ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace manyone
