"""One self-contained static archive of a library and everything it links statically."""

def _static_archive_impl(ctx):
    archives = []
    kept = []
    flags = []
    for dep in ctx.attr.deps:
        for linker_input in dep[CcInfo].linking_context.linker_inputs.to_list():
            for library in linker_input.libraries:
                archive = library.pic_static_library or library.static_library
                if archive == None:
                    continue
                (kept if library.alwayslink else archives).append(archive)
            flags += [flag for flag in linker_input.user_link_flags if flag.startswith("-l:")]
    object = ctx.actions.declare_file(ctx.label.name + ".o")
    args = ctx.actions.args()
    args.add("-r").add("-o", object)
    args.add("--whole-archive").add_all(kept).add("--no-whole-archive")
    args.add("-L/usr/lib/" + ctx.attr.multiarch)
    args.add("--start-group").add_all(archives).add_all(flags, uniquify = True).add("--end-group")
    ctx.actions.run(
        executable = "/usr/bin/ld",
        arguments = [args],
        inputs = archives + kept,
        outputs = [object],
        mnemonic = "RelocatableLink",
    )
    ctx.actions.run(
        executable = "/usr/bin/ar",
        arguments = ["rcsD", ctx.outputs.out.path, object.path],
        inputs = [object],
        outputs = [ctx.outputs.out],
        mnemonic = "Archive",
    )
    return [DefaultInfo(files = depset([ctx.outputs.out]))]

static_archive = rule(
    implementation = _static_archive_impl,
    attrs = {
        "deps": attr.label_list(providers = [CcInfo], doc = "libraries to keep whole where they say alwayslink"),
        "multiarch": attr.string(default = "x86_64-linux-gnu", doc = "folder of Debian's static libraries"),
        "out": attr.output(mandatory = True, doc = "the archive"),
    },
    doc = "Links what `deps` need into one relocatable object (ld -r) and puts it into an archive.",
)
