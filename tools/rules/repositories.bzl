"""External repositories: all of them are Debian packages on this machine."""

load("//tools/rules:llvm.bzl", "debian_llvm")
load("//tools/rules:debian.bzl", "debian_libraries")

def plumb_repositories():
    """Declares @llvm (LLVM/MLIR 22) and @debian (Abseil, GoogleTest, FlatBuffers, …)."""
    debian_llvm(name = "llvm", prefix = "/usr/lib/llvm-22", soversion = "22.1")
    debian_libraries(name = "debian")
