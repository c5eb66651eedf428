/* The compiler's C API from C: an embedder's view. Prints nothing when all is well. */

#include "plumb/compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define EXPECT(condition)                                                                                              \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      printf("%s:%d: expected %s\n", __FILE__, __LINE__, #condition);                                                  \
      ++failures;                                                                                                      \
    }                                                                                                                  \
  } while (0)

/* Collects what the diagnostics callback gets. */
typedef struct {
  char text[4096];
  int errors;
} collected_t;

static void collect(plumbc_severity_t severity, const char *text, size_t size, void *user) {
  collected_t *collected = user;
  size_t used = strlen(collected->text);
  size_t room = sizeof(collected->text) - used - 1;
  strncat(collected->text, text, size < room ? size : room);
  collected->errors += severity == PLUMBC_SEVERITY_ERROR;
}

static char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return NULL;
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char *data = malloc(*size);
  *size = fread(data, 1, *size, file);
  fclose(file);
  return data;
}

static void test_flags(void) {
  plumbc_session_t *session = plumbc_session_create();
  const char *good[] = {"--emit=obj", "--target-cpu=x86-64-v3"};
  EXPECT(plumbc_session_set_flags(session, 2, good) == NULL);
  const char *bad[] = {"--emit=nothing"};
  plumbc_error_t *error = plumbc_session_set_flags(session, 1, bad);
  EXPECT(error && strstr(plumbc_error_message(error), "--emit takes one of"));
  plumbc_error_destroy(error);
  const char *process_wide[] = {"--mlir-timing"};
  error = plumbc_session_set_flags(session, 1, process_wide);
  EXPECT(error != NULL);
  plumbc_error_destroy(error);
  plumbc_session_destroy(session);
}

static void test_compile(const char *path) {
  size_t size = 0;
  char *source = read_file(path, &size);
  EXPECT(source != NULL);
  plumbc_session_t *session = plumbc_session_create();
  const char *flags[] = {"--timing"};
  EXPECT(plumbc_session_set_flags(session, 1, flags) == NULL);
  plumbc_output_t *output = NULL;
  EXPECT(plumbc_compile_buffer(session, path, source, size, &output) == NULL);
  size_t bytes = 0;
  const char *data = plumbc_output_data(output, &bytes);
  EXPECT(bytes > 4 && memcmp(data, "\177ELF", 4) == 0);
  EXPECT(strncmp(plumbc_output_timing(output), "TotalTime = ", 12) == 0);
  plumbc_error_t *error = plumbc_output_write(output, "/no/such/folder/file.plumb");
  EXPECT(error && strstr(plumbc_error_message(error), "/no/such/folder/file.plumb"));
  plumbc_error_destroy(error);
  plumbc_output_destroy(output);
  plumbc_session_destroy(session);
  free(source);
}

static void test_diagnostics(void) {
  static const char source[] = "net.parameter @w : tensor<2xf32> = dense<0.0> : tensor<3xf32>\n";
  collected_t collected = {"", 0};
  plumbc_session_t *session = plumbc_session_create();
  plumbc_session_set_diagnostics(session, collect, &collected);
  plumbc_output_t *output = NULL;
  plumbc_error_t *error = plumbc_compile_buffer(session, "bad.mlir", source, sizeof(source) - 1, &output);
  EXPECT(error != NULL && output == NULL);
  EXPECT(collected.errors == 1);
  EXPECT(strstr(collected.text, "bad.mlir:1:1: error: ") != NULL);
  EXPECT(strcmp(plumbc_session_error_kind(session), "error") == 0);
  plumbc_error_destroy(error);
  plumbc_session_destroy(session);
}

int main(int argc, char **argv) {
  EXPECT(argc == 2);
  EXPECT(plumbc_api_version() == PLUMBC_API_VERSION);
  EXPECT(strncmp(plumbc_version(), "plumb ", 6) == 0);
  test_flags();
  test_compile(argv[1]);
  test_diagnostics();
  return failures != 0;
}
