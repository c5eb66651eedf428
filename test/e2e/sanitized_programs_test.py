"""Whole steps under address sanitizer: no load or store reaches outside of the arena, the variables, the batches, the
records and the loop's own stack. Of masked vectors, the lanes that are set count."""

import re
import unittest

import loops

LLVM = "/usr/lib/llvm-22/bin/"
PROGRAMS = {
    "lenet.py": (),
    "mlp.py": (),
    "resnet.py": ("--depth", "8", "--batches", "1"),
    "transformer.py": ("--batches", "1"),
}


class SanitizedProgramsTest(loops.LoopTest):
    """Compiles with a call before each access that asks whether its bytes may be touched."""

    def sanitize(self, program, cpu, *flags):
        """Returns a shared object of the program's loop."""
        ir, bitcode, code, library = (self.path("sanitized." + kind) for kind in ("ll", "bc", "o", "so"))
        with open(self.compile(program, cpu, *flags, kind="llvm"), encoding="utf-8") as file:
            marked = re.sub(r"^(define .*) {$", r"\1 sanitize_address {", file.read(), flags=re.MULTILINE)
        self.write("sanitized.ll", marked)
        self.checked(LLVM + "opt", "-passes=asan", "-asan-instrumentation-with-call-threshold=0", "-asan-globals=0", ir,
                     "-o", bitcode)
        self.checked(LLVM + "llc", "-O1", "--relocation-model=pic", "-filetype=obj", bitcode, "-o", code)
        self.checked(LLVM + "ld.lld", "-shared", code, "-o", library)
        return library

    def launch_sanitized(self, library, facts):
        """Runs two steps under the sanitizer; returns the process."""
        host = self.build_host("gcc", "-fsanitize=address")
        return self.launch([host, library], facts, 2, ASAN_OPTIONS="detect_leaks=0")

    def test_programs(self):
        for cpu in ("x86-64-v3", "native"):
            for program, arguments in PROGRAMS.items():
                with self.subTest(program=program, cpu=cpu):
                    facts = self.read_facts(self.compile(program, cpu, "--", *arguments))
                    done = self.launch_sanitized(self.sanitize(program, cpu, "--", *arguments), facts)
                    self.assertEqual(done.returncode, 0, done.stderr.decode()[-4000:])

    def test_a_step_outside_is_found(self):
        """An arena that is a line smaller than the step needs."""
        facts = self.read_facts(self.compile("lenet.py", "x86-64-v3"))
        facts["memory"]["arena_bytes"] -= 64
        done = self.launch_sanitized(self.sanitize("lenet.py", "x86-64-v3"), facts)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(b"AddressSanitizer: heap-buffer-overflow", done.stderr)


if __name__ == "__main__":
    unittest.main()
