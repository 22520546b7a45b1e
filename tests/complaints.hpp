// SPDX-License-Identifier: Apache-2.0
//
// What a refusal says: whose fault it is, which parameter, and what to do about it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "manyone/errors.hpp"

namespace manyone::test {

/// What `action` complains of; fails the test when it does not.
template <class Action>
Complaint complaint_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.complaint();
  }
  ADD_FAILURE() << "expected a complaint";
  return {};
}

/// `action` is refused because of `parameter`, and `remedy` is among the words on what to do.
template <class Action>
void expect_complaint(Action action, Fault fault, const std::string& parameter, const std::string& remedy) {
  const Complaint complaint = complaint_of(action);
  const std::string text = complaint.words().text();
  EXPECT_EQ(name_of(complaint.fault), std::string(name_of(fault))) << text;
  EXPECT_EQ(complaint.parameter, parameter) << text;
  EXPECT_NE(complaint.remedy.text().find(remedy), std::string::npos) << text;
  EXPECT_FALSE(complaint.remedy.empty()) << text;
  EXPECT_EQ(text.find("--"), std::string::npos) << "options are words of the command line: " << text;
}

}  // namespace manyone::test
