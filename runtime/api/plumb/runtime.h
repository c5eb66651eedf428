/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Plumb's runtime as a C library: load an executable, feed it, launch its loops, hear its reports, keep its state.
 *
 *   plumb_executable_t *executable;
 *   plumb_session_t *session;
 *   plumb_launch_result_t result;
 *   plumb_status_t *status = plumb_executable_load_file("net.plumb", &executable);
 *   if (!status) status = plumb_session_create(executable, NULL, &session);
 *   if (!status) status = plumb_session_bind_pipeline(session, "train", NULL, -1);
 *   if (!status) status = plumb_session_launch(session, "train", 1000, on_report, user, &result);
 *   if (status) { fprintf(stderr, "%s\n", plumb_status_message(status)); plumb_status_destroy(status); }
 *
 * Ownership: what a function hands over through an out-parameter belongs to the caller, who gives it back to the
 * matching `destroy`; every `destroy` takes null. A session keeps its executable alive, so handles may be destroyed in
 * any order. Strings and arrays that a getter returns live as long as the object they came from, unless said
 * otherwise. Out-parameters are written only when the function succeeds. Strings are UTF-8 and zero-terminated.
 *
 * Errors: a function that can fail returns null when all went well, else a status that the caller destroys. No function
 * aborts, exits or throws on bad input. Passing null where an object is asked for is an error like any other.
 *
 * Threads: executables and open checkpoints are immutable and may be shared. A session takes one call at a time; while
 * one runs (above all a launch), others are PLUMB_FAILED_PRECONDITION, also those of its own report callback.
 * Exceptions that any thread may call at any time: plumb_session_request_stop and _pause (even from a signal handler),
 * plumb_session_push_batch, plumb_session_end_data, plumb_session_counters, plumb_session_data_wait,
 * plumb_session_queue_statistics, plumb_session_queue_history, and plumb_session_destroy, which ends a launch that
 * runs. Report callbacks run on the thread that called plumb_session_launch, or on a thread of the future of
 * plumb_session_launch_async. A pipeline takes one call at a time, too; a future takes any number.
 *
 * Versions: PLUMB_RUNTIME_API_VERSION has the major number in its high 16 bits. A minor release only adds; structs that
 * may grow begin with their size.
 */
#ifndef PLUMB_RUNTIME_API_PLUMB_RUNTIME_H_
#define PLUMB_RUNTIME_API_PLUMB_RUNTIME_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PLUMB_RUNTIME_API_VERSION 0x00010005u

#if defined(__GNUC__)
#define PLUMB_EXPORT __attribute__((visibility("default")))
#else
#define PLUMB_EXPORT
#endif

typedef struct plumb_status plumb_status_t;
typedef struct plumb_executable plumb_executable_t;
typedef struct plumb_session plumb_session_t;
typedef struct plumb_pipeline plumb_pipeline_t;
typedef struct plumb_checkpoint plumb_checkpoint_t;
typedef struct plumb_future plumb_future_t;

/* Kinds of errors, as far as a program may want to tell them apart. */
typedef enum {
  PLUMB_OK = 0,
  PLUMB_INVALID_ARGUMENT = 1,    /* the caller's mistake: a name, a shape, a size */
  PLUMB_NOT_FOUND = 2,           /* a file, a name */
  PLUMB_BAD_FILE = 3,            /* corrupted, truncated, foreign or newer */
  PLUMB_UNSUPPORTED = 4,         /* this machine or this runtime cannot */
  PLUMB_FAILED_PRECONDITION = 5, /* right call, wrong moment */
  PLUMB_TIMED_OUT = 6,           /* a wait exceeded its limit */
  PLUMB_OUT_OF_MEMORY = 7,
  PLUMB_INTERNAL = 8,
  PLUMB_CANNOT_WRITE = 9 /* an output path: no such folder, no permission, no room; since 1.2 */
} plumb_status_code_t;

/* Element types, numbered as in the manifest. */
typedef enum {
  PLUMB_F32 = 0,
  PLUMB_F64 = 1,
  PLUMB_F16 = 2,
  PLUMB_BF16 = 3,
  PLUMB_I8 = 4,
  PLUMB_I16 = 5,
  PLUMB_I32 = 6,
  PLUMB_I64 = 7,
  PLUMB_U8 = 8,
  PLUMB_I1 = 9, /* one byte, 0 or 1 */
  PLUMB_U16 = 10,
  PLUMB_U32 = 11,
  PLUMB_U64 = 12
} plumb_element_t;

/* Why a launch ended. */
typedef enum {
  PLUMB_REASON_SINK_SIZE = 0,   /* ran as many steps as asked */
  PLUMB_REASON_END_OF_DATA = 1, /* the data ended; a normal answer */
  PLUMB_REASON_STOPPED = 2,     /* plumb_session_request_stop */
  PLUMB_REASON_GUARD = 3        /* a stop rule inside the program was met, or a guard struck */
} plumb_reason_t;

/* A named, dense, row-major tensor without its data: a variable, a column or a report. */
typedef struct {
  const char* name;
  plumb_element_t element;
  size_t rank;
  const int64_t* shape; /* `rank` numbers */
  size_t bytes;         /* of the dense tensor */
} plumb_tensor_info_t;

/* A variable of an executable. */
typedef struct {
  plumb_tensor_info_t tensor;
  int trainable;
} plumb_variable_info_t;

/* A queue of an executable. */
typedef struct {
  const char* name;
  size_t column_count;
  const plumb_tensor_info_t* columns;
  size_t depth;     /* batches it holds */
  int has_pipeline; /* the manifest carries the data pipeline that feeds it */
} plumb_queue_info_t;

/* A loop of an executable. */
typedef struct {
  const char* name;
  const char* mode;  /* "train", "eval" or "predict" */
  const char* queue; /* null: pulls no data */
  size_t report_count;
  const plumb_tensor_info_t* reports;
  int64_t sink_size; /* the program's own; -1: the whole data set */
  int64_t epochs;    /* the program's own */
} plumb_loop_info_t;

/* -- Version and status -------------------------------------------------------------------------------------------- */

/* The version of the library that runs, to be compared with PLUMB_RUNTIME_API_VERSION. Since 1.0. */
PLUMB_EXPORT uint32_t plumb_runtime_api_version(void);

/* "plumb X.Y.Z". Static storage. Since 1.0. */
PLUMB_EXPORT const char* plumb_runtime_version(void);

/* Null counts as PLUMB_OK with an empty message. Since 1.0. */
PLUMB_EXPORT plumb_status_code_t plumb_status_code(const plumb_status_t* status);
PLUMB_EXPORT const char* plumb_status_message(const plumb_status_t* status);
PLUMB_EXPORT void plumb_status_destroy(plumb_status_t* status);

/* -- Executables --------------------------------------------------------------------------------------------------- */

/* Checks the whole file (format, versions, checksums, sizes, this machine's CPU) and then maps its code. Since 1.0. */
PLUMB_EXPORT plumb_status_t* plumb_executable_load_file(const char* path, plumb_executable_t** executable);

/* The same for `size` bytes in memory, which are copied. `name` stands in messages. Since 1.0. */
PLUMB_EXPORT plumb_status_t* plumb_executable_load_memory(const void* data, size_t size, const char* name,
                                                          plumb_executable_t** executable);

/* The same for files that must be signed. `public_key` is the text of a PEM file with an ed25519 key, as plumb-sign and
 * OpenSSL write it; the signature is 64 bytes over the whole file, which the first form reads from `path` with ".sig"
 * behind it. It is checked before any byte of the file is interpreted; PLUMB_BAD_FILE where it does not fit or is not
 * there. Since 1.4. */
PLUMB_EXPORT plumb_status_t* plumb_executable_load_signed_file(const char* path, const char* public_key,
                                                               plumb_executable_t** executable);
PLUMB_EXPORT plumb_status_t* plumb_executable_load_signed_memory(const void* data, size_t size, const char* name,
                                                                 const void* signature, size_t signature_size,
                                                                 const char* public_key,
                                                                 plumb_executable_t** executable);
PLUMB_EXPORT void plumb_executable_destroy(plumb_executable_t* executable);

/* What the manifest says; an index past the end yields null. Since 1.0. */
PLUMB_EXPORT const char* plumb_executable_name(const plumb_executable_t* executable);
PLUMB_EXPORT const char* plumb_executable_target_cpu(const plumb_executable_t* executable);
PLUMB_EXPORT size_t plumb_executable_variable_count(const plumb_executable_t* executable);
PLUMB_EXPORT const plumb_variable_info_t* plumb_executable_variable(const plumb_executable_t* executable, size_t index);
PLUMB_EXPORT size_t plumb_executable_queue_count(const plumb_executable_t* executable);
PLUMB_EXPORT const plumb_queue_info_t* plumb_executable_queue(const plumb_executable_t* executable, size_t index);
PLUMB_EXPORT size_t plumb_executable_loop_count(const plumb_executable_t* executable);
PLUMB_EXPORT const plumb_loop_info_t* plumb_executable_loop(const plumb_executable_t* executable, size_t index);

/* -- Sessions ------------------------------------------------------------------------------------------------------ */

/* As a seed: the one that the program itself set. */
#define PLUMB_SEED_OF_PROGRAM UINT64_MAX

/* Takes `size` bytes of text that the program prints, line ends included. Called on the thread that launches. Since
 * 1.2. */
typedef void (*plumb_print_fn)(const char* text, size_t size, void* user);

/* A part of what one print says: `size` bytes of text with its line ends, or a tensor, which is then not null and has
 * no name, with its dense elements in `data`. Since 1.4. */
typedef struct {
  const plumb_tensor_info_t* tensor;
  const void* data;
  size_t size;
} plumb_print_part_t;

/* Takes a print as its parts, valid during the call, on the thread that launches; returns 0 to have it shown as text.
 * Since 1.4. */
typedef int (*plumb_print_parts_fn)(const plumb_print_part_t* parts, size_t count, void* user);

/* Of reports, when the host is behind by the whole ring: the loop waits, or drops the newest and counts it. Since 1.3.
 */
#define PLUMB_REPORTS_WAIT 0u
#define PLUMB_REPORTS_DROP 1u

/* Null options mean the defaults that plumb_session_options_init writes. */
typedef struct {
  size_t size;           /* sizeof(plumb_session_options_t) of the caller */
  uint64_t seed;         /* of random initialisers and shuffles; PLUMB_SEED_OF_PROGRAM */
  double wait_seconds;   /* limit of a wait for data; 0: none; 600 */
  uint32_t report_depth; /* records the report ring holds; 0: chosen by size */
  uint32_t threads;      /* that run a step, 256 at most; 0: PLUMB_THREADS, else one per core. Changes no result */
  plumb_print_fn print;  /* what `print` in the program says; null: standard output */
  void* print_user;      /* handed to `print` */
  uint32_t full_reports; /* PLUMB_REPORTS_WAIT, or PLUMB_REPORTS_DROP for loops that print nothing; since 1.3 */
  uint32_t reserved;     /* 0 */
  plumb_print_parts_fn
      print_parts; /* called before `print`, with `print_user`; null: all is shown as text; since 1.4 */
} plumb_session_options_t;
PLUMB_EXPORT void plumb_session_options_init(plumb_session_options_t* options);

/* Makes the state of one run: variables at their initial values, empty queues, a device thread. Since 1.0. */
PLUMB_EXPORT plumb_status_t* plumb_session_create(plumb_executable_t* executable,
                                                  const plumb_session_options_t* options, plumb_session_t** session);

/* Joins the session's threads and frees it. While a launch runs (in another thread, or around the report callback that
 * calls this), it stops the launch, which frees the session when it returns. Since 1.0. */
PLUMB_EXPORT void plumb_session_destroy(plumb_session_t* session);

/* Copies a variable out of or into the session; `bytes` must be the tensor's size. Not while a launch runs. Since 1.0.
 */
PLUMB_EXPORT plumb_status_t* plumb_session_get_variable(plumb_session_t* session, const char* name, void* data,
                                                        size_t bytes);
PLUMB_EXPORT plumb_status_t* plumb_session_set_variable(plumb_session_t* session, const char* name, const void* data,
                                                        size_t bytes);

/* Feeds `queue` from a pipeline on a thread of the session. The first form takes the pipeline of the manifest, with
 * `folder` in place of its source's folder unless null; the second takes `pipeline` over (also when it fails), which
 * must yield what the queue's columns say. `passes` is how often the data is passed through before end of data; -1:
 * endlessly, each pass reshuffled. Binding again replaces the feed and discards what waits in the queue. Since 1.0. */
PLUMB_EXPORT plumb_status_t* plumb_session_bind_pipeline(plumb_session_t* session, const char* queue,
                                                         const char* folder, int64_t passes);
PLUMB_EXPORT plumb_status_t* plumb_session_feed_pipeline(plumb_session_t* session, const char* queue,
                                                         plumb_pipeline_t* pipeline, int64_t passes);

/* Batches of one pass over what is bound to `queue`; -1: unknown. Since 1.0. */
PLUMB_EXPORT plumb_status_t* plumb_session_dataset_size(plumb_session_t* session, const char* queue, int64_t* batches);

/* Copies one batch into the queue, one pointer per column, waiting for a free slot up to `timeout_seconds` (0: does not
 * wait, negative: without limit). Only for queues without a bound pipeline. Several threads may push (since 1.3): their
 * batches
 * follow each other as they find room. Since 1.0. */
PLUMB_EXPORT plumb_status_t* plumb_session_push_batch(plumb_session_t* session, const char* queue,
                                                      const void* const* columns, const size_t* bytes,
                                                      size_t column_count, double timeout_seconds);

/* Nothing follows the batches pushed so far: the loop answers end of data when it has taken them. Since 1.0. */
PLUMB_EXPORT plumb_status_t* plumb_session_end_data(plumb_session_t* session, const char* queue);

/* Empties a queue and opens it again after end of data. A bound pipeline starts its passes over. Since 1.0. */
PLUMB_EXPORT plumb_status_t* plumb_session_rewind(plumb_session_t* session, const char* queue);

/* Goes on behind the first `batches` batches of the data, counted from the first pass: what a run that was saved
 * elsewhere has taken. Empties the queue. Since 1.2. */
PLUMB_EXPORT plumb_status_t* plumb_session_seek(plumb_session_t* session, const char* queue, uint64_t batches);

/* One step's record: `step` counts from 0 within the launch; `reports[i]` points at the value of the loop's i-th report
 * and is valid during the call only. */
typedef void (*plumb_report_fn)(uint64_t step, const void* const* reports, size_t report_count, void* user);

typedef struct {
  uint64_t steps; /* that ran in full */
  plumb_reason_t reason;
  uint64_t total_steps; /* of all launches of this session, and of the checkpoint it resumed */
} plumb_launch_result_t;

/* Runs `sink_size` (at least 1) steps of a loop on the session's device and returns when they are done or an end came
 * earlier. The callback, which may be null, hears every step while the loop runs. Since 1.0. */
PLUMB_EXPORT plumb_status_t* plumb_session_launch(plumb_session_t* session, const char* loop, int64_t sink_size,
                                                  plumb_report_fn on_report, void* user, plumb_launch_result_t* result);

/* The same, but returns at once; `*future` tells how it ends. The session is busy until then. The callback is called on
 * a thread of the future's own. Since 1.3. */
PLUMB_EXPORT plumb_status_t* plumb_session_launch_async(plumb_session_t* session, const char* loop, int64_t sink_size,
                                                        plumb_report_fn on_report, void* user, plumb_future_t** future);

/* Waits until the launch has ended, `timeout_seconds` at most (0: does not wait, negative: without limit); `*ended` is
 * 1 if it has. Since 1.3. */
PLUMB_EXPORT plumb_status_t* plumb_future_wait(plumb_future_t* future, double timeout_seconds, int* ended);

/* How the launch ended: what plumb_session_launch would have returned. PLUMB_FAILED_PRECONDITION while it runs. Since
 * 1.3. */
PLUMB_EXPORT plumb_status_t* plumb_future_result(plumb_future_t* future, plumb_launch_result_t* result);

/* Frees the future. A launch that still runs is asked to stop, and waited for, except by its own callback. Since 1.3.
 */
PLUMB_EXPORT void plumb_future_destroy(plumb_future_t* future);

/* Adds a rule that ends every launch of `loop` right after the step that breaks it, with PLUMB_REASON_GUARD and the
 * state of that step: "finite:NAME" (a NaN or infinite element of a report or variable ends it), "NAME<LIMIT" or
 * "NAME>LIMIT" (a number that is below, above), each perhaps with ",every=STEPS". Checked on the thread that runs the
 * loop. Since 1.3. */
PLUMB_EXPORT plumb_status_t* plumb_session_add_guard(plumb_session_t* session, const char* loop, const char* rule);

/* Removes the rules of all loops. Since 1.4. */
PLUMB_EXPORT plumb_status_t* plumb_session_clear_guards(plumb_session_t* session);

/* What a guard saw. */
typedef struct {
  char text[256]; /* "'loss' is nan at step 12 (guard finite:loss)", cut if it is longer */
  uint64_t step;  /* of the run, from 1; 0: no guard ended the last launch */
  int invalid;    /* a NaN or an infinity: the state is spoilt */
} plumb_guard_strike_t;

/* The guard that ended the last launch. Since 1.3. */
PLUMB_EXPORT plumb_status_t* plumb_session_guard_strike(plumb_session_t* session, plumb_guard_strike_t* strike);

/* Takes a value of a report or variable as step `step` of the run (from 1) left it. `tensor` and `data` are valid
 * during the call. */
typedef void (*plumb_watch_fn)(const plumb_tensor_info_t* tensor, uint64_t step, const void* data, void* user);

/* Has every launch of `loop` forward values while it runs: "NAME" of a report or else of a variable, or of all
 * variables that fit a name with `*` for any characters, every 100 steps, or as ",every=STEPS" behind it says. The
 * callback is called on the thread that launches, right after that of the step's reports. The loop copies the value
 * between two steps and goes on; it waits when two values wait already, or leaves the newest out (PLUMB_REPORTS_DROP).
 * Since 1.5. */
PLUMB_EXPORT plumb_status_t* plumb_session_add_watch(plumb_session_t* session, const char* loop, const char* rule,
                                                     plumb_watch_fn on_value, void* user);

/* Ends that for all loops. Since 1.5. */
PLUMB_EXPORT plumb_status_t* plumb_session_clear_watches(plumb_session_t* session);

/* How the elements of a tensor lie. */
typedef struct {
  size_t size;                /* sizeof(plumb_histogram_t) of the caller */
  uint64_t count;             /* elements, of which */
  uint64_t nans, infinite;    /* these count for nothing below */
  double min, max, sum, mean; /* NaN where there are no others; but for the sums, which are 0 */
  double sum_of_squares, deviation;
  uint64_t buckets;
} plumb_histogram_t;

/* Makes the histogram of `bytes` bytes of elements. Bucket i holds the elements between limits[i - 1] and limits[i]
 * (those at a limit count as farther from 0), of which up to `capacity` are copied. Limits are powers of 1.1 from 1e-12
 * to 1e20 of both signs, as TensorFlow has them; of empty buckets in a row there is one, and none at the end. Since
 * 1.5. */
PLUMB_EXPORT plumb_status_t* plumb_histogram(plumb_element_t element, const void* data, size_t bytes,
                                             plumb_histogram_t* histogram, double* limits, uint64_t* counts,
                                             size_t capacity);

/* Reports of the last launch that were dropped (PLUMB_REPORTS_DROP), and watched values that were left out. Since 1.3.
 */
PLUMB_EXPORT plumb_status_t* plumb_session_dropped_reports(plumb_session_t* session, uint64_t* reports);

/* Asks the running launch (or, if none runs, the next) to end before its next step. Safe in signal handlers. Since 1.0.
 */
PLUMB_EXPORT void plumb_session_request_stop(plumb_session_t* session);

/* Asks the running launch to end before its next step with PLUMB_REASON_STOPPED, for the caller to save the state, say,
 * and to launch again; when none runs, the next one. A launch that ends by itself before it sees the request makes it
 * void. From any thread, safe in signal handlers. Since 1.4. */
PLUMB_EXPORT void plumb_session_request_pause(plumb_session_t* session);

/* Writes the variables, the seed, the step count and the data's position as safetensors, atomically; and back, when
 * every variable has its tensor. A file that holds a run brings its seed and continues it bit for bit; one with tensors
 * alone, such as other tools write, begins with the first step and batch. Since 1.0. */
PLUMB_EXPORT plumb_status_t* plumb_session_save(plumb_session_t* session, const char* path);
PLUMB_EXPORT plumb_status_t* plumb_session_load(plumb_session_t* session, const char* path);

/* The same for a file whose tensors have other names than the variables. `map` is text of lines with two names, the
 * file's and the program's, in which `*` stands for any characters: see docs/checkpoints.md. Since 1.4. */
PLUMB_EXPORT plumb_status_t* plumb_session_load_with_names(plumb_session_t* session, const char* path, const char* map);

/* Launches, and host-device interactions (launches, waits for data, waits for room in the report ring). Since 1.0. */
PLUMB_EXPORT plumb_status_t* plumb_session_counters(plumb_session_t* session, uint64_t* launches,
                                                    uint64_t* interactions);

/* Seconds that the loops have waited for data, in all launches. Since 1.1. */
PLUMB_EXPORT plumb_status_t* plumb_session_data_wait(plumb_session_t* session, double* seconds);

/* A queue since it was last bound, rewound or sought in. */
typedef struct {
  size_t size;                                         /* sizeof(plumb_queue_statistics_t) of the caller */
  uint64_t published, taken;                           /* batches */
  uint64_t depth, filled;                              /* slots, and those that are filled now */
  double mean_filled;                                  /* slots, after each publication */
  uint64_t producer_waits, consumer_waits;             /* for a free slot; for a batch */
  double producer_wait_seconds, consumer_wait_seconds; /* in all */
  double longest_producer_wait_seconds, longest_consumer_wait_seconds;
  double preparing_seconds; /* from a free slot to its publication, all batches together */
} plumb_queue_statistics_t;
PLUMB_EXPORT plumb_status_t* plumb_session_queue_statistics(plumb_session_t* session, const char* queue,
                                                            plumb_queue_statistics_t* statistics);

/* One point of a queue's depth over time. */
typedef struct {
  double seconds;  /* since its first batch was published */
  uint64_t filled; /* slots */
} plumb_queue_depth_t;

/* Copies up to `capacity` points, about evenly spaced in batches; `*count` says how many there are. Since 1.3. */
PLUMB_EXPORT plumb_status_t* plumb_session_queue_history(plumb_session_t* session, const char* queue,
                                                         plumb_queue_depth_t* points, size_t capacity, size_t* count);

/* -- Checkpoints --------------------------------------------------------------------------------------------------- */

/* A tensor with its data, or one string by name. */
typedef struct {
  plumb_tensor_info_t info;
  const void* data; /* `info.bytes` of them */
} plumb_checkpoint_tensor_t;
typedef struct {
  const char* key;
  const char* value;
} plumb_checkpoint_entry_t;

/* Why nothing could be written to `path`: a folder that is missing or read-only, something there that is no regular
 * file. Leaves no trace. Since 1.2. */
PLUMB_EXPORT plumb_status_t* plumb_checkpoint_probe(const char* path);

/* Writes tensors and strings as safetensors with a checksum: a crash leaves the old file or the new one. Keys that
 * begin with "plumb." are the runtime's own. Since 1.2. */
PLUMB_EXPORT plumb_status_t* plumb_checkpoint_write(const char* path, const plumb_checkpoint_tensor_t* tensors,
                                                    size_t tensor_count, const plumb_checkpoint_entry_t* entries,
                                                    size_t entry_count);

/* Reads and checks a whole safetensors file, of Plumb's or of another tool's. Since 1.2. */
PLUMB_EXPORT plumb_status_t* plumb_checkpoint_read(const char* path, plumb_checkpoint_t** checkpoint);
PLUMB_EXPORT void plumb_checkpoint_destroy(plumb_checkpoint_t* checkpoint);

/* What it holds, in the order of the file; an index past the end yields null. Since 1.2. */
PLUMB_EXPORT size_t plumb_checkpoint_tensor_count(const plumb_checkpoint_t* checkpoint);
PLUMB_EXPORT const plumb_checkpoint_tensor_t* plumb_checkpoint_tensor(const plumb_checkpoint_t* checkpoint,
                                                                      size_t index);
PLUMB_EXPORT size_t plumb_checkpoint_entry_count(const plumb_checkpoint_t* checkpoint);
PLUMB_EXPORT const plumb_checkpoint_entry_t* plumb_checkpoint_entry(const plumb_checkpoint_t* checkpoint, size_t index);

/* Takes the program's name for the name at `index`; null: the map says that it is not wanted. */
typedef void (*plumb_name_fn)(size_t index, const char* name, void* user);

/* Calls back for each of `count` names of a file in order, with what `map` (as of plumb_session_load_with_names) makes
 * of it. Since 1.4. */
PLUMB_EXPORT plumb_status_t* plumb_map_names(const char* map, const char* const* names, size_t count,
                                             plumb_name_fn on_name, void* user);

/* -- Pipelines ----------------------------------------------------------------------------------------------------- */

/* Rows of one column, one after another, for a source whose description carries no bytes of its own. */
typedef struct {
  const char* name;
  const void* data;
  size_t bytes;
} plumb_array_t;

/* Builds a data pipeline from the JSON form of runtime/abi/pipeline.fbs: types are inferred and checked, no file is
 * opened. `folder` replaces the source's folder unless null; `arrays` (may be null) must stay valid until
 * plumb_pipeline_load returned. `seed` is of shuffles, unless the description has its own. Since 1.0. */
PLUMB_EXPORT plumb_status_t* plumb_pipeline_create(const char* json, const char* folder, const plumb_array_t* arrays,
                                                   size_t array_count, uint64_t seed, plumb_pipeline_t** pipeline);
PLUMB_EXPORT void plumb_pipeline_destroy(plumb_pipeline_t* pipeline);

/* Reads the data into memory; a second call does nothing. The functions below it do so when it has not been called.
 * Since 1.0. */
PLUMB_EXPORT plumb_status_t* plumb_pipeline_load(plumb_pipeline_t* pipeline);

/* The columns of one full batch; an index past the end yields null. Needs no load. Since 1.0. */
PLUMB_EXPORT size_t plumb_pipeline_column_count(const plumb_pipeline_t* pipeline);
PLUMB_EXPORT const plumb_tensor_info_t* plumb_pipeline_column(const plumb_pipeline_t* pipeline, size_t index);

/* Rows of a full batch, the columns' first extent; 1 where the pipeline has no batch node, whose columns are rows.
 * Since 1.2. */
PLUMB_EXPORT int64_t plumb_pipeline_batch_rows(const plumb_pipeline_t* pipeline);

/* Batches of one pass; -1: endless. Since 1.0. */
PLUMB_EXPORT plumb_status_t* plumb_pipeline_size(plumb_pipeline_t* pipeline, int64_t* batches);

/* Writes the next batch into one buffer per column, each with room for a full batch. `*rows` is its number of rows (a
 * last batch that is not dropped may have fewer than the columns say); 0, and nothing is written, when a pass is over:
 * the call after that begins the next pass. Since 1.0. */
PLUMB_EXPORT plumb_status_t* plumb_pipeline_next(plumb_pipeline_t* pipeline, void* const* columns, size_t column_count,
                                                 int64_t* rows);

/* Back to the first batch of the first pass. Since 1.0. */
PLUMB_EXPORT plumb_status_t* plumb_pipeline_reset(plumb_pipeline_t* pipeline);

/* -- Initialisers -------------------------------------------------------------------------------------------------- */

/* Fills a tensor by rule: `kind` is zero, one, constant, normal, truncated_normal, uniform, xavier_uniform, he_uniform,
 * …; random ones draw from stream `stream` of `seed`, exactly as a session initialises variables. Since 1.0. */
PLUMB_EXPORT plumb_status_t* plumb_initialize(const char* kind, const double* parameters, size_t parameter_count,
                                              plumb_element_t element, const int64_t* shape, size_t rank, uint64_t seed,
                                              uint64_t stream, void* data, size_t bytes);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* PLUMB_RUNTIME_API_PLUMB_RUNTIME_H_ */
