/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Plumb's compiler as a C library.
 *
 * A session holds flags and a diagnostics callback; one session compiles any number of sources, one after another.
 * Sessions are independent: threads may each use their own.
 *
 * Ownership: what a `create` or an out-parameter hands over belongs to the caller, who gives it back to the matching
 * `destroy`. Every `destroy` takes null. Strings that a getter returns live as long as the object they came from.
 * Strings are UTF-8; those with a size need no terminating zero.
 *
 * Errors: a function that can fail returns null when all went well, else an error that the caller destroys. What is
 * wrong in a source comes through the diagnostics callback, located; the error then only says that compiling failed.
 * No function aborts, exits or throws on bad input.
 *
 * Versions: PLUMBC_API_VERSION has the major number in its high 16 bits. A minor release only adds.
 */
#ifndef PLUMB_COMPILER_API_PLUMB_COMPILER_H_
#define PLUMB_COMPILER_API_PLUMB_COMPILER_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PLUMBC_API_VERSION 0x00010002u

#if defined(__GNUC__)
#define PLUMBC_EXPORT __attribute__((visibility("default")))
#else
#define PLUMBC_EXPORT
#endif

typedef struct plumbc_session plumbc_session_t;
typedef struct plumbc_output plumbc_output_t;
typedef struct plumbc_error plumbc_error_t;

typedef enum {
  PLUMBC_SEVERITY_ERROR = 0,
  PLUMBC_SEVERITY_WARNING = 1,
  PLUMBC_SEVERITY_REMARK = 2,
  PLUMBC_SEVERITY_NOTE = 3 /* belongs to the diagnostic before it */
} plumbc_severity_t;

/* Receives one diagnostic: `text` is rendered as the command line tool renders it (file:line:column, message, source
 * line, caret) and ends in a newline. `user` is the pointer given with the callback. */
typedef void (*plumbc_diagnostic_fn)(plumbc_severity_t severity, const char *text, size_t size, void *user);

/* The version of the library that runs, to be compared with PLUMBC_API_VERSION. Since 1.0. */
PLUMBC_EXPORT uint32_t plumbc_api_version(void);

/* "plumb X.Y (LLVM Z)". Static storage. Since 1.0. */
PLUMBC_EXPORT const char *plumbc_version(void);

/* Makes a session with default flags; diagnostics go to stderr until a callback is set. Since 1.0. */
PLUMBC_EXPORT plumbc_session_t *plumbc_session_create(void);
PLUMBC_EXPORT void plumbc_session_destroy(plumbc_session_t *session);

/* Sets flags, spelled as for plumbc: "--emit=plumb", "--target-cpu=native", …. Unknown or ill-valued flags are an
 * error and change nothing. MLIR's process-wide flags ("--mlir-…") are refused. Since 1.0. */
PLUMBC_EXPORT plumbc_error_t *plumbc_session_set_flags(plumbc_session_t *session, int count, const char *const *flags);

/* Sends the session's diagnostics to `callback`, called on the compiling thread; null restores stderr. Since 1.0. */
PLUMBC_EXPORT void plumbc_session_set_diagnostics(plumbc_session_t *session, plumbc_diagnostic_fn callback, void *user);

/* The kind of the last error that the session's last compilation has reported: "error", where the program is wrong; a
 * refusal of what CPython can run and compiled functions cannot is "refusal", or "value" where it needs the value of a
 * tensor while compiling, or "operation" where an operation of the package does, or runs on the host, or "outside"
 * where it is a change of a list, dict or set that the compiled function has not made. Static storage. Since 1.2. */
PLUMBC_EXPORT const char *plumbc_session_error_kind(const plumbc_session_t *session);

/* Has the Python process that a text comes from compute what only CPython and the program's own objects know: `request`
 * is one line of JSON, the result another, which must live until the next call or the session's end. Called on a thread
 * of the compiler while plumbc_compile_buffer runs. docs/rationale/python_capture.md has the form of both lines. `user`
 * is the pointer given with the callback; null as callback asks nobody. Since 1.1. */
typedef const char *(*plumbc_python_fn)(const char *request, size_t size, void *user);
PLUMBC_EXPORT void plumbc_session_set_python(plumbc_session_t *session, plumbc_python_fn callback, void *user);

/* Compiles MLIR text (the `net` dialect, or what `--compile-from` names). `name` appears in diagnostics and in the
 * executable's manifest. Since 1.0. */
PLUMBC_EXPORT plumbc_error_t *plumbc_compile_buffer(plumbc_session_t *session, const char *name, const char *source,
                                                    size_t size, plumbc_output_t **output);

/* What was compiled, in memory: an executable, object, or text, as --emit and --compile-to asked. Since 1.0. */
PLUMBC_EXPORT const char *plumbc_output_data(const plumbc_output_t *output, size_t *size);

/* Writes the output to `path` by a temporary file and a rename: either all of it stands there or nothing changed.
 * Executables are made executable. Since 1.0. */
PLUMBC_EXPORT plumbc_error_t *plumbc_output_write(const plumbc_output_t *output, const char *path);

/* The TotalTime table of the compilation as text; empty unless the session has --timing. Since 1.0. */
PLUMBC_EXPORT const char *plumbc_output_timing(const plumbc_output_t *output);

PLUMBC_EXPORT void plumbc_output_destroy(plumbc_output_t *output);

/* One paragraph, no trailing newline. Since 1.0. */
PLUMBC_EXPORT const char *plumbc_error_message(const plumbc_error_t *error);
PLUMBC_EXPORT void plumbc_error_destroy(plumbc_error_t *error);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* PLUMB_COMPILER_API_PLUMB_COMPILER_H_ */
