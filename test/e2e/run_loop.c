// Runs the first loop of an executable where plumb-run cannot: this program is emulated, or has the address sanitizer.
//
//   run_loop FILE.plumb STEPS ARENA VARIABLES RECORD [SLOT] < contents > contents
//
// Numbers behind STEPS are bytes, of which a batch takes SLOT and a report's record RECORD. Reads the variables and
// STEPS batches; prints the variables and STEPS records as they are when the launch is over.

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "executable_abi.h"

static void check(int good, const char *what) {
  if (good)
    return;
  fprintf(stderr, "run_loop: %s\n", what);
  exit(1);
}

// Nothing comes after the batches that are there, and there is room for all records.
static int32_t endBatches(plumb_launch_t *launch, uint32_t queue) { return PLUMB_WAIT_END_OF_DATA; }
static int32_t failReports(plumb_launch_t *launch) { return PLUMB_WAIT_ERROR; }

static uint8_t *allocate(uint64_t bytes) {
  const uint64_t alignment = PLUMB_BUFFER_ALIGNMENT;
  uint8_t *place = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  check(place != NULL, "no memory");
  return place;
}

static uint8_t *readBytes(uint64_t bytes) {
  uint8_t *place = allocate(bytes);
  check(fread(place, 1, bytes, stdin) == bytes, "the input ends early");
  return place;
}

static plumb_loop_fn findLoop(const char *file) {
  void *library = dlopen(file, RTLD_NOW);
  check(library != NULL, dlerror());
  plumb_executable_query_fn query = (plumb_executable_query_fn)dlsym(library, PLUMB_EXECUTABLE_QUERY_SYMBOL);
  check(query != NULL, "no query function");
  const plumb_executable_table_t *table = query(PLUMB_ABI_VERSION);
  check(table != NULL && table->loop_count > 0, "no loop of this version");
  return table->loops[0].run;
}

int main(int count, char **arguments) {
  check(count == 6 || count == 7, "takes FILE STEPS ARENA VARIABLES RECORD [SLOT]");
  uint64_t numbers[5] = {0};
  for (int i = 2; i < count; ++i)
    numbers[i - 2] = strtoull(arguments[i], NULL, 10);
  const uint64_t steps = numbers[0], variables = numbers[2], record = numbers[3], slot = numbers[4];

  const uint32_t stop = 0;
  plumb_queue_t queue = {.produced = steps, .slot_bytes = slot, .depth = steps, .closed = 1};
  plumb_queue_t *queues[1] = {&queue};
  plumb_report_ring_t ring = {.records = allocate(steps * record), .record_bytes = record, .depth = steps};
  plumb_launch_t launch = {.sink_size = steps,
                           .arena = allocate(numbers[1]),
                           .variables = readBytes(variables),
                           .queues = queues,
                           .reports = &ring,
                           .stop = &stop,
                           .wait_batch = endBatches,
                           .wait_report = failReports};
  queue.slots = readBytes(steps * slot);
  findLoop(arguments[1])(&launch);
  check(launch.reason == PLUMB_END_SINK_SIZE && launch.steps == steps, "the launch ended early");
  fwrite(launch.variables, 1, variables, stdout);
  fwrite(ring.records, 1, steps * record, stdout);
  return 0;
}
