// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a pass finds its target.

#include "compiler/target/FindTarget.h"

#include "dialects/device/ir/Device.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace plumb;

namespace {

struct FindCase {
  const char *label;
  /// The module's target, if it has one, and the pass's option.
  const char *attribute, *option;
  /// The target's processor; that of `native` if empty.
  const char *cpu;
};

const FindCase kCases[] = {
    {"option", "target(\"x86-64-v4\")", "x86-64-v3", "x86-64-v3"},
    {"attribute", "target(\"x86-64-v4\")", "", "x86-64-v4"},
    {"this_machine", "", "", ""},
};

class FindTargetTest : public testing::TestWithParam<FindCase> {
protected:
  FindTargetTest() { context.loadDialect<device::DeviceDialect>(); }

  OwningOpRef<ModuleOp> parse(const std::string &attribute) {
    return parseSourceString<ModuleOp>("device.module @m " + attribute + " {}", &context);
  }

  MLIRContext context;
};

TEST_P(FindTargetTest, OptionBeforeAttributeBeforeThisMachine) {
  OwningOpRef<ModuleOp> module = parse(GetParam().attribute);
  ASSERT_TRUE(module);
  FailureOr<CpuTarget> target = findTarget(*module, GetParam().option);
  ASSERT_TRUE(succeeded(target));
  EXPECT_EQ(target->cpu, *GetParam().cpu ? GetParam().cpu : CpuTarget::get("native")->cpu);
}

INSTANTIATE_TEST_SUITE_P(Table, FindTargetTest, testing::ValuesIn(kCases),
                         [](const auto &info) { return std::string(info.param.label); });

TEST_F(FindTargetTest, UnknownNamesAreReported) {
  OwningOpRef<ModuleOp> module = parse("target(\"x86-64-v9\")");
  ASSERT_TRUE(module);
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) { message += diagnostic.str(); });
  EXPECT_TRUE(failed(findTarget(*module, "")));
  EXPECT_NE(message.find("'x86-64-v9' is not known; use native, x86-64-v2"), std::string::npos) << message;
}

} // namespace
