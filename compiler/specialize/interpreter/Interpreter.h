// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: runs Python-level functions over abstract values and writes down, as typed functions, what
// is left to do at run time. One object interprets one module.
//
// It owns collaborators on three floors (README.md), each of which a reader can understand alone:
//
//   lower    LiveProcess < KnownTensors, TensorWriter < TensorArithmetic < TensorAccess
//            write what tensors need, and know no Python statements
//   middle   Joins, MadeObjects, SetAttributes < Changes < Exits, LoopState; Closures; Raises
//            share the state of a run: what is seen, changed and raised, and how two ways of control meet
//   upper    Statements, Expressions, Calls, …
//            have each other run statements and call functions
//
// Control flow is interpreted in continuation-passing style: every statement runner is told what follows it.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_INTERPRETER_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_INTERPRETER_H

#include "compiler/specialize/interpreter/Attributes.h"
#include "compiler/specialize/interpreter/Builtins.h"
#include "compiler/specialize/interpreter/Calls.h"
#include "compiler/specialize/interpreter/Conditions.h"
#include "compiler/specialize/interpreter/Containers.h"
#include "compiler/specialize/interpreter/Conversions.h"
#include "compiler/specialize/interpreter/Displays.h"
#include "compiler/specialize/interpreter/Exceptions.h"
#include "compiler/specialize/interpreter/Expressions.h"
#include "compiler/specialize/interpreter/GradientRules.h"
#include "compiler/specialize/interpreter/Gradients.h"
#include "compiler/specialize/interpreter/Iterators.h"
#include "compiler/specialize/interpreter/Loops.h"
#include "compiler/specialize/interpreter/Methods.h"
#include "compiler/specialize/interpreter/NumberBuiltins.h"
#include "compiler/specialize/interpreter/Operators.h"
#include "compiler/specialize/interpreter/Primitives.h"
#include "compiler/specialize/interpreter/RaiseStatements.h"
#include "compiler/specialize/interpreter/Specializations.h"
#include "compiler/specialize/interpreter/Statements.h"
#include "compiler/specialize/interpreter/Subscripts.h"
#include "compiler/specialize/interpreter/Texts.h"
#include "compiler/specialize/interpreter/UnrolledLoops.h"
#include "compiler/specialize/tensors/TensorAccess.h"

namespace plumb::specialize {

/// Interprets the Python level of one module. See the file comment.
class Interpreter : public Part, private LiveProcess::Host {
public:
  Interpreter(Workspace &workspace, unsigned maxCallDepth);

  /// Writes the function of `entry` and makes the entry call it.
  LogicalResult runEntry(net::EntryOp entry);

  // The lower floor.
  LiveProcess live;
  KnownTensors knownTensors;
  TensorIdentities identities;
  TensorWriter writer;
  TensorArithmetic arithmetic;
  TensorAccess access;

  // The middle floor.
  Run run;
  Joins joins;
  MadeObjects madeObjects;
  SetAttributes setAttributes;
  Changes changes;
  Closures closures;
  Exits exits;
  Raises raises;

  // The upper floor: operations on values of any kind, ...
  Operators operators;
  Builtins builtins;
  NumberBuiltins numberBuiltins;
  Conversions conversions;
  Texts texts;
  Methods methods;
  Primitives primitives;
  Gradients gradients;
  Conditions conditions;
  Iterators iterators;
  Containers containers;
  Subscripts subscripts;
  Attributes attributes;
  Displays displays;
  RaiseStatements raiseStatements;
  // ... calls, and statements.
  Specializations specializations;
  Calls calls;
  GradientRules gradientRules;
  Expressions expressions;
  Statements statements;
  Exceptions exceptions;
  UnrolledLoops unrolledLoops;
  Loops loops;

private:
  FailureOr<mlir::func::FuncOp> writeStep(net::EntryOp entry);
  LogicalResult nameReports(net::EntryOp entry, unsigned results);
  LogicalResult flattenResult(Location location, const AbstractValue &value,
                              llvm::SmallVectorImpl<AbstractValue> &tensors);
  AbstractValue getKeptAttributes(const AbstractValue &result) const;
  /// Tells the live process the structure that a direct call returns; its
  /// tensors, in order, are `tensors`.
  LogicalResult tellResult(Location location, const AbstractValue &result,
                           llvm::SmallVectorImpl<AbstractValue> &tensors);
  LogicalResult tellComplex(mlir::func::FuncOp function);
  LogicalResult tellEffects(mlir::func::FuncOp function);

  // What answers of the live process change.
  AbstractValue getAttributes() override { return run.state.attributes; }
  AbstractValue getKnown(const AbstractValue &value) override { return knownTensors.get(value); }
  Result takeItems(Location location, const AbstractValue &iterator) override {
    return iterators.takeItems(location, iterator);
  }
  LogicalResult change(Location location, const AbstractValue &container, llvm::ArrayRef<AbstractValue> elements,
                       const Keys &keys) override {
    return changes.change(location, container, elements, keys);
  }
  unsigned getFrame() const override { return run.frame.number; }
  void noteMade(mlir::Attribute object) override { madeObjects.note(object); }
  LogicalResult setAttribute(Location location, mlir::Attribute object, StringAttr name,
                             const AbstractValue &value) override {
    return attributes.set(location, object, name, value);
  }
  Result call(Location location, const AbstractValue &callee, const Arguments &arguments) override {
    return calls.call(location, callee, arguments);
  }
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_INTERPRETER_H
