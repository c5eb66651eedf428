"""Walls: a test that fails when a target depends on what it must never reach."""

def wall_test(name, target, forbidden, allowed = [], direct = False):
    """Fails while any package of `forbidden` (prefixes such as `//compiler`) is among the dependencies of `target`.

    Args:
      name: the test's name.
      target: the label, or a label pattern's filegroup, whose dependencies are listed.
      forbidden: label prefixes.
      allowed: label prefixes inside of these that it may reach.
      direct: look at the target's own dependencies only.
    """
    native.genquery(
        name = name + "_deps",
        expression = "deps(%s%s)" % (target, ", 1" if direct else ""),
        scope = [target],
        opts = ["--noimplicit_deps"],
        testonly = True,
    )
    native.sh_test(
        name = name,
        size = "small",
        srcs = ["//tools/rules:wall_test.sh"],
        args = ["$(location :%s_deps)" % name] + forbidden + (["--"] + allowed if allowed else []),
        data = [":%s_deps" % name],
    )
