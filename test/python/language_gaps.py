"""What the language does not offer yet, or not as Python does. Rows of docs/language.md, which language_table.py writes."""

# What is known to be missing; a row goes when its construct gets a test in language_table.py.
PARTLY = (
    ("changing a list or dict that was made outside, by its name",
     "the compiled function changes a copy of its own in each call, of which a warning tells, as MindSpore does; in PyNative mode Python "
     "runs a cell that changes one"),
    ("assigning `global` names, `yield`, `async` in a function that tensors go through",
     "refused at their line; a function that holds them is run by CPython where all its arguments are known, and in PyNative mode "
     "for its gradient, as one without a source file is"),
    ("`try` or `with` around what raises under a condition on a tensor in a gradient, or in the condition of a loop",
     "refused: what the executable raises there ends the launch, and is caught around the call"),
    ("names and lists in a handler of what is raised under a condition on a tensor", "are those of the `raise`; a name that has another type "
     "there than at the end of the `try`, a list that has another size, and a text that shows tensors cannot be used"),
    ("exceptions of Python's own under a condition on a tensor, such as a KeyError", "end compilation"),
    ("an element of a tensor at an index out of range", "ends the launch with an IndexError, but is not looked at where nothing uses it: what "
     "has no use is not computed"),
    ("`except*`", "refused at its line"),
    ("the body of a class inside of a function, outside of its methods, that uses the function's own names",
     "refused: it runs while compiling; its methods may use them"),
    ("lists and dicts that have another size or other keys after an iteration of a loop on a tensor, or after one side of a branch on "
     "one", "refused; fill one of that size, make a new one, or choose the value with `ops.select`"),
    ("a list or dict in the place of which a branch or loop on a tensor may have put another one", "can be read; changing it, or the other "
     "one, is refused"),
    ("a width, a precision or another format of a computed tensor in a text, and the letters of such a text (its length, comparisons, methods "
     "but `format`, `format_map` and `join`)", "refused at their line"),
    ("generator expressions with `:=`, or of several loops with a `lambda` or other generators inside, not all items of which are taken at once",
     "refused; make a list of the items"),
    ("the functions of `itertools.groupby` and `takewhile`", "are called for all items when the iterator is made"),
    ("what iterators of Python's library go through, but for `chain`, `cycle`, `dropwhile`, `filterfalse`, `islice`, `repeat` and `starmap`",
     "is taken when they are made; refused where it computes its items, and where it is a list or dict that has changed since"),
    ("`any` and `all` of tensors", "compute all items where that changes nothing; else a generator expression is a loop that the item which "
     "decides leaves, and `map` and generators that a name keeps are refused"),
    ("objects that only Python knows, as a `collections.deque`, changed in a branch or loop on a tensor", "refused, unless they are made "
     "there, or what follows is reached by that side alone; use a list"),
    ("whether a list, dict, tuple or tensor in the place of which a branch or loop on a tensor may have put another one `is` one of these, and "
     "`id()` of lists, dicts and tensors", "refused; keep a number that says which one it is"),
    ("as keys, methods of lists and dicts that were made outside, or that a branch or loop on a tensor chooses", "refused; keep a number beside "
     "them"),
    ("whether a list or dict from outside that a function names several times, or a constant tensor beside one of equal elements, `is` the "
     "other one", "refused; compare by `==`"),
    ("`map` and `filter` inside of a `try` whose items are taken one by one", "refused; the function is called for all items at once: write "
     "`list(…)` around it, or call the function in a loop"),
    ("attributes of classes with a `__setattr__` of their own, or with a descriptor of the program's", "can be read; setting them is refused"),
    ("what an inner function says about itself, as its documentation", "refused"),
    ("attributes that one side of a branch on a tensor sets, or a loop on one", "objects have them behind the call where they were set; what "
     "reads them in the function, or asks whether they are there, is refused: set them on both sides, or before"),
    ("state in attributes from one call to the next", "refused; a Parameter keeps it"),
    ("tensors inside instances of classes with a metaclass, a `__new__` or a `__setattr__` of their own", "refused; hand them over in tuples, "
     "lists or dicts"),
    ("objects that are made in a branch or loop on a tensor", "end with it, and with them the tensors in their attributes; make them before"),
    ("sparse tensors that store as many elements as values decide, as a sum of two does",
     "refused by name; compute them outside, or in dense form"),
    ("`grad(grad(f))` in functions that deal with sparse tensors", "refused; name the inner gradient's inputs in a function around it"),
    ("an iterator of which a tensor decides how many items are left", "refused where it is used again; index a list"),
    ("as keys, functions of which a branch or loop on a tensor decides which one it is", "refused; keep a number beside them"),
    ("views of dicts that are kept elsewhere than in a name", "show the dict as it was when they were made; ask for the view where it is needed"),
    ("changing global lists and dicts", "refused; they are constants of the program"),
)
