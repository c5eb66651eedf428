// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hand-written executable: device loops in plain C++ by the rules of executable_abi.h, and the manifest that goes
// with them. One variable "weight" (f32), one queue "train" of x f32[4] and label i32[4], and these loops:
//
//   train    weight = weight / 2 + sum(x) + label[0]; reports loss = weight
//   guarded  the same, and leaves with PLUMB_END_GUARD when the weight exceeds 100 (after that step)
//   count    pulls no data; weight += 1; reports loss = weight
//
// Where the manifest gives a loop two print formats, step n prints its weight n % 3 * 100 times, by the one and the
// other in turns.

#ifndef PLUMB_TEST_RUNTIME_TESTING_FAKE_LOOPS_H_
#define PLUMB_TEST_RUNTIME_TESTING_FAKE_LOOPS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/abi/executable_abi.h"
#include "runtime/abi/manifest_generated.h"

extern "C" const plumb_executable_table_t* plumb_executable_query(uint32_t abi_version);

namespace plumb {
namespace testing {

/// The manifest that fits the loops; a test may change it before packing. The queue's pipeline has 16 rows in shuffled
/// batches of 4.
abi::ManifestT MakeManifest();

/// The same with a queue that is fed from MNIST's files, one digit a batch: `image` f32[1,28,28,1] and `label` u32[1]
/// of 10 classes. The loops see the first four pixels as x.
abi::ManifestT MakeMnistManifest();

/// The manifest's bytes.
std::vector<uint8_t> PackManifest(const abi::ManifestT& manifest);

}  // namespace testing
}  // namespace plumb

#endif  // PLUMB_TEST_RUNTIME_TESTING_FAKE_LOOPS_H_
