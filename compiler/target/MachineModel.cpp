// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One model per kind of vectors; defaults are in the header. Values were measured on a server processor with AVX-512
// (Sapphire Rapids), AVX2 with its wider vectors disabled; those of SSE and NEON are estimates, as no such machine was
// at hand. A default that no function below changes is a value of that processor for all of them. No measurement is
// recorded of the cycles of overheads and copies, the distances of prefetches and the numbers of streams, which were
// numbers of single passes before: whoever measures one says so here.

#include "compiler/target/MachineModel.h"

using namespace plumb;

MachineModel MachineModel::getSse() { return MachineModel(); }

MachineModel MachineModel::getAvx2() {
  MachineModel machine;
  machine.vectorBits = 256;
  machine.caches = {{{64, 8, 0.4}, {1024, 16, 8.0}}};
  return machine;
}

MachineModel MachineModel::getAvx512() {
  MachineModel machine;
  machine.vectorBits = 512;
  machine.registers = 32;
  machine.caches = {{{64, 12, 0.4}, {2048, 16, 8.0}}};
  return machine;
}

MachineModel MachineModel::getNeon() {
  MachineModel machine;
  machine.registers = 32;
  return machine;
}
