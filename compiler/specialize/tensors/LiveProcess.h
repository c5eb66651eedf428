// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions to the Python process that a program comes from, where it still runs: what the interpreter does not know
// itself is computed there, with CPython's own meaning. See LiveProcess.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_TENSORS_LIVEPROCESS_H
#define PLUMB_COMPILER_SPECIALIZE_TENSORS_LIVEPROCESS_H

#include "compiler/specialize/tensors/Letter.h"
#include "compiler/specialize/tensors/Part.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

#include <map>

namespace plumb::specialize {

/// Has the live process compute. To be asked only where `isLive`.
class LiveProcess : public Part {
public:
  /// The state of the program that questions read and answers change.
  class Host {
  public:
    virtual ~Host() = default;

    /// The attributes that the program has set so far, as a dict of pairs of the object and the name.
    virtual AbstractValue getAttributes() = 0;
    /// Takes the items that an iterator has left, as a tuple; Python may take any number of them.
    virtual Result takeItems(Location location, const AbstractValue &iterator) = 0;
    /// `value`, or the constant that the tensor is, where constants decide it.
    virtual AbstractValue getKnown(const AbstractValue &value) = 0;

    /// Gives a container what Python has left in it.
    virtual LogicalResult change(Location location, const AbstractValue &container,
                                 llvm::ArrayRef<AbstractValue> elements, const Keys &keys) = 0;
    /// The number of the call that is being interpreted.
    virtual unsigned getFrame() const = 0;
    /// Takes note of an object that Python has made.
    virtual void noteMade(mlir::Attribute object) = 0;
    virtual LogicalResult setAttribute(Location location, mlir::Attribute object, StringAttr name,
                                       const AbstractValue &value) = 0;
    /// Calls a function that Python leaves to the interpreter.
    virtual Result call(Location location, const AbstractValue &callee, const Arguments &arguments) = 0;
  };

  LiveProcess(Workspace &workspace, Host &host) : Part(workspace), host(host) {}

  /// Has the process compute `action`.
  Result ask(Location location, llvm::StringRef action, const Arguments &arguments);
  Result askCall(Location location, const AbstractValue &callee, const Arguments &arguments);
  /// How often objects that only Python knows were made, or may have changed, so far.
  Result askChanges(Location location);
  /// How many questions there were.
  unsigned countQuestions() const { return questions; }
  /// Whether a question behind the number `since` has changed an object that only Python knows.
  bool hasTouched(unsigned since) const { return !touches.empty() && touches.back().question > since; }
  /// Refuses that a question behind the number `since` has changed an object which is older and only Python knows.
  LogicalResult checkUntouched(unsigned since) const;
  /// The process's value of `object` as a constant tensor or a number, or None.
  Result askTensor(Location location, const AbstractValue &object);
  /// Whether objects of this Python type have a method of that name.
  bool askMethod(Location location, const AbstractValue &object, StringAttr name);
  /// The function of the Python package that tensors have as a method of that name; null where there is none.
  mlir::Attribute findTensorMethod(llvm::StringRef name);
  /// Whether the package's class of tensors, or Parameters, has an attribute of that name, compiled code or not.
  bool hasTensorAttribute(StringAttr name, bool isParameter);

  /// Tells the structure that a direct call returns and the attributes that outlive it. Returns the tensors inside, in
  /// the order in which the process expects them.
  FailureOr<llvm::SmallVector<AbstractValue>> tellResult(Location location, const AbstractValue &result,
                                                         const AbstractValue &attributes);

private:
  class Question;
  FailureOr<llvm::json::Object> send(Location location, llvm::json::Object question);

  Host &host;
  /// Inner functions that see no names, by their numbers, for each call that has told the process of them: its objects
  /// may keep them.
  std::map<unsigned, Letter::Functions> functions;
  /// That a question has changed objects that only Python knows.
  struct Touch {
    unsigned oldest;   ///< The question that made the oldest of them; 0 for one from before the run.
    unsigned question; ///< The number of the question.
    Location location;
  };
  llvm::SmallVector<Touch> touches;
  llvm::DenseSet<mlir::Attribute> alone; ///< Objects that the run has made and that Python keeps nowhere.
  unsigned questions = 0;
  std::optional<AbstractValue> changes;           ///< The answer of askChanges, until the next question.
  llvm::StringMap<bool> knownMethods;             ///< Answers of askMethod.
  llvm::StringMap<mlir::Attribute> tensorMethods; ///< Answers of findTensorMethod.
  llvm::StringMap<bool> tensorAttributes;         ///< Answers of hasTensorAttribute.
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_TENSORS_LIVEPROCESS_H
