// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of tensors in files of other tools, and what the program calls them. A map is text of lines with two patterns,
// in each of which `*` stands for any characters; those of the first pattern go into the second, in order:
//
//   # in the file             in the program
//   features.*.weight         backbone.*.weight
//   bn*.running_mean          bn*.moving_mean
//   *.num_batches_tracked     -                    not wanted
//   -                         moments.*            not in the file: these keep their initial values
//
// The first line that fits a name counts; names that no line fits stay.

#ifndef PLUMB_RUNTIME_CHECKPOINT_NAME_MAP_H_
#define PLUMB_RUNTIME_CHECKPOINT_NAME_MAP_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace plumb {

/// Whether all of `name` fits a pattern, in which `*` stands for any characters.
bool FitsPattern(absl::string_view pattern, absl::string_view name);

class NameMap {
 public:
  /// Reads a map from a file, or from text that errors call `name`.
  static absl::StatusOr<NameMap> Read(const std::string& path);
  static absl::StatusOr<NameMap> Parse(absl::string_view text, absl::string_view name);
  NameMap() = default;

  /// The program's names for those of a file, in order; none for what is not wanted. Fails, naming the lines, where two
  /// names become one or a line fits no name.
  absl::StatusOr<std::vector<absl::optional<std::string>>> Apply(const std::vector<std::string>& theirs) const;

  /// Whether a variable need not be in the file.
  bool MayLack(absl::string_view ours) const;

 private:
  struct Rule {
    int line;
    std::string theirs, ours;
  };
  std::string name_;
  std::vector<Rule> rules_;
  std::vector<std::string> lacking_;  // patterns of variables
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_CHECKPOINT_NAME_MAP_H_
