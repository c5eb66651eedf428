// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A session of the executable that fake_file.h makes, by the C API.

#ifndef PLUMB_TEST_RUNTIME_API_API_SESSION_H_
#define PLUMB_TEST_RUNTIME_API_API_SESSION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/api/plumb/runtime.h"
#include "test/runtime/testing/fake_file.h"

namespace plumb {
namespace testing {

/// Takes a status over: its message, empty for ok.
inline std::string Take(plumb_status_t* status) {
  std::string message = plumb_status_message(status);
  plumb_status_destroy(status);
  return message;
}

class ApiSessionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::vector<uint8_t> file = MakeExecutableFile(MakeManifest());
    ASSERT_EQ(Take(plumb_executable_load_memory(file.data(), file.size(), "fake", &executable_)), "");
    ASSERT_EQ(Take(plumb_session_create(executable_, nullptr, &session_)), "");
  }
  void TearDown() override {
    plumb_executable_destroy(executable_);  // the session keeps what it needs
    plumb_session_destroy(session_);
  }

  plumb_executable_t* executable_ = nullptr;
  plumb_session_t* session_ = nullptr;
};

}  // namespace testing
}  // namespace plumb

#endif  // PLUMB_TEST_RUNTIME_API_API_SESSION_H_
