// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect itself: its name, its essay and what it asks of tablegen.

#ifndef PLUMB_NET_DIALECT_TD
#define PLUMB_NET_DIALECT_TD

include "mlir/IR/OpBase.td"

def Net_Dialect : Dialect {
  let name = "net";
  let cppNamespace = "::plumb::net";
  let summary = "Networks and their training steps, from Python's words to typed graphs.";
  let description = [{
    One dialect carries a program from the parser to the sink stage, on two levels:

    ```
     Python source ─► net.python.* on !net.any ─► net.* on tensors ─► device + linalg
                      net.cell, net.parameter      state tokens
                      └── parse, resolve ──┘  └── specialize … optimize ──┘  └ sink, lower ┘
    ```

    The Python level says what the program's text says: names, attributes, calls and
    control flow over values of unknown type. The typed level is a graph of
    primitives on statically shaped tensors, in which every effect is ordered by a
    token. An op of the typed level is one record: its signature as Python calls
    it, its shape rule, its adjoint and its lowering are all methods of that op.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    /// The primitives that Python can call, by name.
    const PrimitiveTable &getPrimitives() const { return primitives; }

  private:
    void registerAttributes();
    void registerTypes();
    void registerModuleOps();
    void registerPythonOps();
    void registerStateOps();
    void registerGradOps();
    void registerConstantOps();
    void registerElementwiseOps();
    void registerBinaryOps();
    void registerMathOps();
    void registerShapeOps();
    void registerReduceOps();
    void registerAxisOps();
    void registerContractionOps();
    void registerLinalgOps();
    void registerPoolOps();
    void registerSoftmaxOps();
    void registerIndexOps();

    /// Registers ops and enters the primitives among them into the table.
    template <typename... Ops>
    void addTheme() {
      addOperations<Ops...>();
      (detail::addPrimitive<Ops>(primitives, getContext()), ...);
    }

    PrimitiveTable primitives;

  public:
  }];
}

#endif // PLUMB_NET_DIALECT_TD
