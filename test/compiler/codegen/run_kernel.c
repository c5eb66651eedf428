// Runs one of the kernels that it is linked with, for a test on a machine that cannot: this program is emulated.
//
//   run_kernel NAME OFFSET:BYTES... < contents > contents
//
// Each buffer begins OFFSET bytes behind the start of a page; the pages before its first and behind its last one can be
// neither read nor written. The buffers' contents are read one after the other, and printed as they are after the call.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { kMostBuffers = 8, kPageBytes = 4096 };

typedef struct {
  char *data;
  size_t bytes;
} Buffer;

typedef void (*Kernel)(void *, void *, void *, void *, void *, void *, void *, void *);

static void fail(const char *what, const char *of) {
  fprintf(stderr, "run_kernel: %s '%s'\n", what, of);
  exit(1);
}

static Buffer readBuffer(const char *place) {
  char *colon;
  size_t offset = strtoul(place, &colon, 10), bytes = strtoul(colon + 1, NULL, 10);
  size_t inside = (offset + bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
  char *base = mmap(NULL, inside + 2 * kPageBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED || mprotect(base + kPageBytes, inside, PROT_READ | PROT_WRITE) != 0)
    fail("no memory for the buffer", place);
  Buffer buffer = {base + kPageBytes + offset, bytes};
  if (fread(buffer.data, 1, bytes, stdin) != bytes)
    fail("the input ends within the buffer", place);
  return buffer;
}

int main(int count, char **arguments) {
  if (count < 2 || count - 2 > kMostBuffers)
    fail("takes a kernel and up to eight buffers, not", count < 2 ? "" : arguments[1]);
  Kernel kernel = (Kernel)dlsym(RTLD_DEFAULT, arguments[1]);
  if (!kernel)
    fail("there is no kernel", arguments[1]);
  Buffer b[kMostBuffers] = {{NULL, 0}};
  for (int i = 2; i < count; ++i)
    b[i - 2] = readBuffer(arguments[i]);
  // A function does not look at arguments that it has not.
  kernel(b[0].data, b[1].data, b[2].data, b[3].data, b[4].data, b[5].data, b[6].data, b[7].data);
  for (int i = 2; i < count; ++i)
    fwrite(b[i - 2].data, 1, b[i - 2].bytes, stdout);
  return 0;
}
