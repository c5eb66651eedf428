// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules that end a launch at the step that breaks them: a number that is NaN or infinite, a target that is reached.
// They are checked between two steps on the thread that runs the loop, so that the state is the one which the step left
// behind.

#ifndef PLUMB_RUNTIME_SESSION_GUARD_H_
#define PLUMB_RUNTIME_SESSION_GUARD_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/abi/manifest_generated.h"

namespace plumb {

/// What ends a launch.
struct GuardRule {
  enum class Kind { kFinite, kBelow, kAbove };
  Kind kind = Kind::kFinite;  // NaN or infinite elements; a number below or above `limit`
  std::string name;           // of a report, or else of a variable
  double limit = 0;
  uint64_t every = 1;  // steps from one check to the next

  std::string Text() const;
};

/// Reads `finite:loss`, `loss<0.05` or `accuracy>0.99`, each with `,every=N` behind it or not.
absl::StatusOr<GuardRule> ParseGuardRule(absl::string_view text);

/// A rule that was broken.
struct GuardStrike {
  GuardRule rule;
  uint64_t step = 0;  // of the run, from 1
  std::string value;  // that broke it, as NumPy prints it

  /// Whether the state is spoilt, and not a target reached.
  bool invalid() const { return rule.kind == GuardRule::Kind::kFinite; }
  /// `loss is nan at step 12 (guard finite:loss)`
  std::string Text() const;
};

/// A loop's report; null if there is none of that name.
const abi::Report* FindReport(const abi::Loop& loop, const std::string& name);

/// The rules of one loop.
class Guards {
 public:
  /// Adds a rule about a report of `loop`, or about the variable of that name, whose memory is `variable` (null data:
  /// there is none). Refuses names that are neither, and integers that cannot break the rule.
  absl::Status Add(const GuardRule& rule, const abi::Loop& loop, const abi::TensorType* variable_type,
                   absl::Span<const uint8_t> variable);
  bool empty() const { return entries_.empty(); }

  /// Checks a step, counted from 1 in the run, by its record; false if it breaks a rule. Allocates nothing.
  bool Check(uint64_t step, const uint8_t* record);
  /// Forgets a strike.
  void Begin() { struck_ = false; }
  bool struck() const { return struck_; }
  /// What happened, if something did.
  GuardStrike strike() const;

 private:
  struct Entry {
    GuardRule rule;
    abi::ElementType element;
    uint64_t count;
    uint64_t offset;          // in the record, unless
    const uint8_t* variable;  // this is given
  };
  static bool Holds(const Entry& entry, const uint8_t* data, uint64_t* element);

  std::vector<Entry> entries_;
  bool struck_ = false;
  size_t broken_ = 0;  // index of the entry
  uint64_t step_ = 0;
  uint64_t element_ = 0;  // its index in the tensor
  uint8_t value_[8] = {};
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_SESSION_GUARD_H_
