// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types: the unknown Python value and the two state tokens. Tensors are MLIR's own.

#ifndef PLUMB_NET_TYPES_TD
#define PLUMB_NET_TYPES_TD

include "dialects/net/ir/NetDialect.td"
include "mlir/IR/AttrTypeBase.td"

class Net_Type<string name, string typeMnemonic>
    : TypeDef<Net_Dialect, name>, BuildableType<"$_builder.getType<::plumb::net::" # name # "Type>()"> {
  let mnemonic = typeMnemonic;
}

def Net_AnyValue : Net_Type<"Any", "any"> {
  let summary = "A Python value whose type is not known yet";
  let description = "Every value between net.python ops; none is left after the specialize stage.";
}

def Net_MemoryToken : Net_Type<"U", "u"> {
  let summary = "The state of memory: parameters, random state";
  let description = "A read or write of a parameter takes one and yields the next, so that program order is data.";
}

def Net_IOToken : Net_Type<"IO", "io"> {
  let summary = "The state of the outside world: prints";
  let description = "As !net.u, for effects that a person sees.";
}

#endif // PLUMB_NET_TYPES_TD
