"""rules_proto by Bazel 4's native rules."""

proto_library = native.proto_library
proto_lang_toolchain = native.proto_lang_toolchain
