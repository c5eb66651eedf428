"""mlir-tblgen and flatc as genrules."""

def mlir_tblgen(name, td, outs, srcs = []):
    """Runs mlir-tblgen over `td` once per output.

    Args:
      name: a cc_library of this name offers the generated files as textual headers.
      td: the record file.
      outs: a dictionary from output file to mlir-tblgen flags.
      srcs: other .td files that `td` includes.
    """
    for out, flags in outs.items():
        native.genrule(
            name = name + "_" + out.replace(".", "_"),
            srcs = [td] + srcs + ["@llvm//:td"],
            outs = [out],
            tools = ["@llvm//:mlir_tblgen"],
            cmd = "$(location @llvm//:mlir_tblgen) %s -I external/llvm/include -I . $(location %s) -o $@" % (flags, td),
            visibility = ["//visibility:public"],
        )
    native.cc_library(
        name = name,
        textual_hdrs = outs.keys(),
        visibility = ["//visibility:public"],
    )

def td_library(name, srcs, deps = []):
    """Names .td files that other packages' records include."""
    native.filegroup(name = name, srcs = srcs + deps, visibility = ["//visibility:public"])

def mlir_passes(name, td, group, doc = None):
    """Declares a stage's passes: `<base>.h.inc` and, for the docs, `<base>.md`.

    Args:
      name: the cc_library's name.
      td: the stage's Passes.td.
      group: the CamelCase name that registration functions carry.
      doc: the Markdown page's name; default: `<group>Passes.md`.
    """
    mlir_tblgen(
        name = name,
        td = td,
        outs = {
            "Passes.h.inc": "-gen-pass-decls -name=" + group,
            doc or (group + "Passes.md"): "-gen-pass-doc",
        },
    )

def flatbuffers_schema(name, src, includes = [], deps = []):
    """Generates the C++ header of a FlatBuffers schema as cc_library `name`.

    Args:
      name: the cc_library's name.
      src: the schema.
      includes: schemas of the same package that `src` includes.
      deps: the cc_libraries of these.
    """
    header = src.replace(".fbs", "_generated.h")
    native.genrule(
        name = name + "_header",
        srcs = [src] + includes,
        outs = [header],
        tools = ["@debian//:flatc"],
        cmd = "/usr/bin/flatc --cpp --gen-object-api --scoped-enums -o $(@D) $(location %s)" % src,
    )
    native.cc_library(
        name = name,
        hdrs = [header],
        visibility = ["//visibility:public"],
        deps = ["@debian//:flatbuffers"] + deps,
    )

def flatbuffers_text(name, src, out, symbol):
    """Offers the text of a schema as the C string `symbol`, for parsers of its JSON form.

    Args:
      name: the cc_library's name.
      src: the schema.
      out: the header's name.
      symbol: a name in namespace plumb::abi.
    """
    native.genrule(
        name = name + "_header",
        srcs = [src],
        outs = [out],
        cmd = "(echo 'namespace plumb { namespace abi {'; " +
              "echo 'constexpr char %s[] = R\"schema('; cat $(location %s); " % (symbol, src) +
              "echo ')schema\";'; echo '} }') > $@",
    )
    native.cc_library(
        name = name,
        hdrs = [out],
        visibility = ["//visibility:public"],
    )
