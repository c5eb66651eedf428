// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/api/plumb/compiler.h"

#include "compiler/driver/Compile.h"
#include "compiler/driver/OutputFile.h"

#include <new>
#include <string>

using namespace plumb;

struct plumbc_session {
  CompileOptions options;
  plumbc_diagnostic_fn callback = nullptr;
  void *user = nullptr;
  PythonAnswer python;
  /// Of the last error of a compilation.
  mutable DiagnosticKind kind = DiagnosticKind::Error;
};

struct plumbc_output {
  CompileResult result;
};

struct plumbc_error {
  std::string message;
};

static plumbc_error_t *makeError(std::string message) { return new (std::nothrow) plumbc_error{std::move(message)}; }

static plumbc_error_t *makeError(llvm::Error error) {
  return error ? makeError(llvm::toString(std::move(error))) : nullptr;
}

static plumbc_severity_t getSeverity(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Note: return PLUMBC_SEVERITY_NOTE;
  case mlir::DiagnosticSeverity::Warning: return PLUMBC_SEVERITY_WARNING;
  case mlir::DiagnosticSeverity::Remark: return PLUMBC_SEVERITY_REMARK;
  case mlir::DiagnosticSeverity::Error: break;
  }
  return PLUMBC_SEVERITY_ERROR;
}

static DiagnosticSink makeSink(const plumbc_session_t *session) {
  return [session](mlir::DiagnosticSeverity severity, DiagnosticKind kind, llvm::StringRef text) {
    if (severity == mlir::DiagnosticSeverity::Error)
      session->kind = kind;
    if (session->callback)
      session->callback(getSeverity(severity), text.data(), text.size(), session->user);
    else
      llvm::errs() << text;
  };
}

uint32_t plumbc_api_version(void) { return PLUMBC_API_VERSION; }

const char *plumbc_version(void) { return getVersion().data(); }

plumbc_session_t *plumbc_session_create(void) { return new (std::nothrow) plumbc_session; }

void plumbc_session_destroy(plumbc_session_t *session) { delete session; }

plumbc_error_t *plumbc_session_set_flags(plumbc_session_t *session, int count, const char *const *flags) {
  CompileOptions options = session->options;
  for (int i = 0; i < count; ++i)
    if (plumbc_error_t *error = makeError(applyFlag(flags[i], options)))
      return error;
  session->options = std::move(options);
  return nullptr;
}

void plumbc_session_set_diagnostics(plumbc_session_t *session, plumbc_diagnostic_fn callback, void *user) {
  session->callback = callback;
  session->user = user;
}

const char *plumbc_session_error_kind(const plumbc_session_t *session) { return getName(session->kind).data(); }

void plumbc_session_set_python(plumbc_session_t *session, plumbc_python_fn callback, void *user) {
  session->python = nullptr;
  if (callback)
    session->python = [callback, user](llvm::StringRef request) {
      const char *reply = callback(request.data(), request.size(), user);
      return std::string(reply ? reply : "");
    };
}

plumbc_error_t *plumbc_compile_buffer(plumbc_session_t *session, const char *name, const char *source, size_t size,
                                      plumbc_output_t **output) {
  auto result = std::make_unique<plumbc_output>();
  session->kind = DiagnosticKind::Error;
  CompileSource text{name, llvm::StringRef(source, size), {}, session->python};
  if (mlir::failed(compile(text, session->options, makeSink(session), result->result)))
    return makeError(std::string("cannot compile ") + name);
  *output = result.release();
  return nullptr;
}

const char *plumbc_output_data(const plumbc_output_t *output, size_t *size) {
  *size = output->result.data.size();
  return output->result.data.data();
}

plumbc_error_t *plumbc_output_write(const plumbc_output_t *output, const char *path) {
  llvm::StringRef data(output->result.data.data(), output->result.data.size());
  return makeError(writeOutputFile(path, data, output->result.executable));
}

const char *plumbc_output_timing(const plumbc_output_t *output) { return output->result.timing.c_str(); }

void plumbc_output_destroy(plumbc_output_t *output) { delete output; }

const char *plumbc_error_message(const plumbc_error_t *error) { return error->message.c_str(); }

void plumbc_error_destroy(plumbc_error_t *error) { delete error; }
