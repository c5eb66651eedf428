/* The binary interface between compiled code and the runtime, and the only header that both sides share.
 *
 * Plain C, no dependency. The runtime fills these structs; generated code reads and writes them by the offsets fixed
 * below. A change of layout or meaning raises PLUMB_ABI_VERSION. Structs only grow at their end,
 * so that code of every version since PLUMB_ABI_OLDEST_VERSION still runs; the loader refuses all others.
 *
 *   2: plumb_launch_t.parallel
 *   3: plumb_launch_t.prints, plumb_launch_t.wait_print
 *
 * Threads: one device thread runs a loop, and worker threads may run tasks of its step; one producer per queue
 * publishes batches; one host thread drains reports.
 * Counters are 64-bit, only ever grow, and lie on cache lines of their own. A counter is published by a release store
 * and read by an acquire load.
 */
#ifndef PLUMB_RUNTIME_ABI_EXECUTABLE_ABI_H_
#define PLUMB_RUNTIME_ABI_EXECUTABLE_ABI_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PLUMB_ABI_VERSION 3u
#define PLUMB_ABI_OLDEST_VERSION 1u

/* The one symbol an executable exports. */
#define PLUMB_EXECUTABLE_QUERY_SYMBOL "plumb_executable_query"

/* The ELF section that holds the FlatBuffers manifest (runtime/abi/manifest.fbs). */
#define PLUMB_MANIFEST_SECTION ".plumb.manifest"

/* The ELF section for profilers, in executables with symbols: a line of text for each loop and kernel. */
#define PLUMB_KERNELS_SECTION ".plumb.kernels"

/* Alignment in bytes of the arena, the variables block, queue slots, and every buffer inside them. */
#define PLUMB_BUFFER_ALIGNMENT 64

/* Why a launch ended. Stored by the loop in plumb_launch_t.reason. */
typedef enum {
  PLUMB_END_SINK_SIZE = 0, /* ran sink_size steps */
  PLUMB_END_OF_DATA = 1,   /* the queue was closed and is empty */
  PLUMB_END_STOPPED = 2,   /* the stop flag was set */
  PLUMB_END_GUARD = 3,     /* a device.continue_if was false */
  PLUMB_END_ERROR = 4      /* a wait failed; the host has the error */
} plumb_end_reason_t;

/* Results of the wait functions below. */
typedef enum {
  PLUMB_WAIT_READY = 0,
  PLUMB_WAIT_END_OF_DATA = 1,
  PLUMB_WAIT_STOPPED = 2,
  PLUMB_WAIT_ERROR = 4
} plumb_wait_answer_t;

/* A bounded single-producer single-consumer ring of batches. Batch n lies in slot n % depth; its columns lie at the
 * offsets of the manifest's queue table. The loop reads a slot in place and releases it at the end of the step. */
typedef struct {
  uint64_t produced; /* offset 0: batches published by the producer */
  uint8_t pad0[56];
  uint64_t consumed; /* offset 64: batches released by the loop */
  uint8_t pad1[56];
  uint8_t* slots;      /* offset 128: depth * slot_bytes bytes */
  uint64_t slot_bytes; /* offset 136 */
  uint64_t depth;      /* offset 144 */
  uint64_t closed;     /* offset 152: non-zero: batch produced-1 is the last */
} plumb_queue_t;

/* A bounded ring of report records, one record per step. Record n lies at records + (n % depth) * record_bytes and
 * starts with the step's number within the launch (uint64_t), followed by the reports at the manifest's offsets.
 *
 * A loop that prints has a second ring of this kind, of prints: one record each time that a print is executed, any
 * number of times per step. It starts with the step's number and the index of its format among the loop's print_formats
 * (uint64_t each), followed by the values. The prints of a step are published before its report record. */
typedef struct {
  uint64_t written; /* offset 0: records published by the loop */
  uint8_t pad0[56];
  uint64_t drained; /* offset 64: records released by the host */
  uint8_t pad1[56];
  uint8_t* records;      /* offset 128 */
  uint64_t record_bytes; /* offset 136 */
  uint64_t depth;        /* offset 144 */
} plumb_report_ring_t;

/* Part of a step: `run` is called once for each of the chunks 0 … chunks-1, in any order and concurrently. No chunk
 * accesses a byte that another chunk of its task writes, so results do not depend on the threads that run them. There
 * is a
 * barrier between two tasks: a task sees everything that the tasks before it wrote. */
typedef struct {
  void (*run)(const void* arguments, uint64_t chunk);
  uint64_t chunks; /* at least 1 */
} plumb_task_t;

/* One launch: filled by the host and passed to the loop, which stores its results in `steps` and `reason`. */
typedef struct plumb_launch {
  uint64_t sink_size;           /* offset 0: the maximal number of steps, at least 1 */
  uint8_t* arena;               /* offset 8: scratch, contents undefined at launch */
  uint8_t* variables;           /* offset 16: state that outlives the launch */
  plumb_queue_t* const* queues; /* offset 24: by the manifest's queue index */
  plumb_report_ring_t* reports; /* offset 32: of this loop */
  const uint32_t* stop;         /* offset 40: non-zero: leave before the next step */
  /* Offset 48. Called only when the queue looks empty; may sleep. Returns plumb_wait_answer_t. */
  int32_t (*wait_batch)(struct plumb_launch* launch, uint32_t queue);
  /* Offset 56. Called only when the report ring is full; may sleep. Returns plumb_wait_answer_t. */
  int32_t (*wait_report)(struct plumb_launch* launch);
  void* host;      /* offset 64: the runtime's own; compiled code never reads it */
  uint64_t steps;  /* offset 72, out: completed steps */
  uint32_t reason; /* offset 80, out: plumb_end_reason_t */
  uint32_t pad0;
  /* Offset 88. Runs tasks 0 … count-1 on the device's threads and returns when all have ended; everything that they
   * wrote is then visible to the loop. Null: there is one thread, and the loop runs the tasks itself. */
  void (*parallel)(struct plumb_launch* launch, const plumb_task_t* tasks, uint64_t count, const void* arguments);
  plumb_report_ring_t* prints; /* offset 96: of this loop; null where it does not print */
  /* Offset 104. Called in the middle of a step, only when the ring of prints is full; may sleep. Always returns with a
   * free record, since a step that has begun is completed. The result has no meaning. */
  int32_t (*wait_print)(struct plumb_launch* launch);
} plumb_launch_t;

/* Runs a loop until one of plumb_end_reason_t; always returns. */
typedef void (*plumb_loop_fn)(plumb_launch_t* launch);

/* One loop of the executable, in the manifest's order. */
typedef struct {
  const char* name;
  plumb_loop_fn run;
} plumb_loop_entry_t;

/* What plumb_executable_query returns: static storage inside the executable. */
typedef struct {
  uint32_t abi_version; /* PLUMB_ABI_VERSION at compile time */
  uint32_t loop_count;
  const plumb_loop_entry_t* loops;
} plumb_executable_table_t;

/* Returns the table, or null when `abi_version` is one that the executable does not serve. */
typedef const plumb_executable_table_t* (*plumb_executable_query_fn)(uint32_t abi_version);

#ifdef __cplusplus
} /* extern "C" */
static_assert(offsetof(plumb_queue_t, consumed) == 64, "fixed by the ABI");
static_assert(offsetof(plumb_queue_t, slots) == 128, "fixed by the ABI");
static_assert(offsetof(plumb_queue_t, closed) == 152, "fixed by the ABI");
static_assert(offsetof(plumb_report_ring_t, drained) == 64, "fixed by the ABI");
static_assert(offsetof(plumb_report_ring_t, records) == 128, "fixed by the ABI");
static_assert(offsetof(plumb_launch_t, stop) == 40, "fixed by the ABI");
static_assert(offsetof(plumb_launch_t, wait_batch) == 48, "fixed by the ABI");
static_assert(offsetof(plumb_launch_t, steps) == 72, "fixed by the ABI");
static_assert(offsetof(plumb_launch_t, reason) == 80, "fixed by the ABI");
static_assert(offsetof(plumb_launch_t, parallel) == 88, "fixed by the ABI");
static_assert(offsetof(plumb_launch_t, prints) == 96, "fixed by the ABI");
static_assert(offsetof(plumb_launch_t, wait_print) == 104, "fixed by the ABI");
#endif

#endif /* PLUMB_RUNTIME_ABI_EXECUTABLE_ABI_H_ */
