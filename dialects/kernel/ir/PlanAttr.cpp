// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text and checks of #kernel.plan. Entries with their default value are not printed, and may be missing.

#include "dialects/kernel/ir/Kernel.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb::kernel;

using Numbers = SmallVector<int64_t>;

namespace {

/// The entries of a plan while it is read.
struct Entries {
  int64_t laneLoop = 0, lanes = 0, vectors = 1, partials = 1, epilogue = 0, cycles = 0;
  bool interleaved = false;
  Numbers tiles, order, reductions, unroll, panels, prefetch, blocks, writes, transposed, skew;

  /// The pairs, the list or the number that `name` stands for; null where it is another kind of entry.
  Numbers *findPairs(StringRef name);
  Numbers *findList(StringRef name);
  int64_t *findNumber(StringRef name);
};

} // namespace

Numbers *Entries::findPairs(StringRef name) {
  return llvm::StringSwitch<Numbers *>(name)
      .Case("tiles", &tiles)
      .Case("order", &order)
      .Case("unroll", &unroll)
      .Case("panels", &panels)
      .Case("blocks", &blocks)
      .Default(nullptr);
}

Numbers *Entries::findList(StringRef name) {
  return llvm::StringSwitch<Numbers *>(name)
      .Case("reductions", &reductions)
      .Case("prefetch", &prefetch)
      .Case("writes", &writes)
      .Case("transposed", &transposed)
      .Case("skew", &skew)
      .Default(nullptr);
}

int64_t *Entries::findNumber(StringRef name) {
  return llvm::StringSwitch<int64_t *>(name)
      .Case("partials", &partials)
      .Case("epilogue", &epilogue)
      .Case("cycles", &cycles)
      .Default(nullptr);
}

/// Reads `[a, b]`, or `[a : b, c : d]` with `inPairs`.
static ParseResult parseNumbers(AsmParser &parser, Numbers &numbers, bool inPairs) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    if (parser.parseInteger(numbers.emplace_back()))
      return failure();
    return inPairs ? failure(parser.parseColon() || parser.parseInteger(numbers.emplace_back())) : success();
  });
}

/// Reads one entry.
static ParseResult parseEntry(AsmParser &parser, Entries &entries) {
  StringRef name;
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return failure();
  if (name == "interleaved") {
    entries.interleaved = true;
    return success();
  }
  if (parser.parseEqual())
    return failure();
  if (name == "lanes")
    return failure(parser.parseInteger(entries.lanes) || parser.parseKeyword("x") ||
                   parser.parseInteger(entries.vectors) || parser.parseKeyword("along") ||
                   parser.parseInteger(entries.laneLoop));
  if (int64_t *number = entries.findNumber(name))
    return parser.parseInteger(*number);
  if (Numbers *list = entries.findList(name))
    return parseNumbers(parser, *list, /*inPairs=*/false);
  if (Numbers *pairs = entries.findPairs(name))
    return parseNumbers(parser, *pairs, /*inPairs=*/true);
  return parser.emitError(location) << "a plan has no entry '" << name << "'";
}

Attribute PlanAttr::parse(AsmParser &parser, Type) {
  Entries e;
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, [&] { return parseEntry(parser, e); }))
    return {};
  auto apply = [&](auto function) {
    return function(e.laneLoop, e.lanes, e.vectors, e.tiles, e.order, e.reductions, e.unroll, e.partials, e.panels,
                    e.prefetch, e.blocks, e.writes, e.transposed, e.interleaved, e.skew, e.epilogue, e.cycles);
  };
  auto emitError = [&] { return parser.emitError(location); };
  if (failed(apply([&](auto &...entries) { return PlanAttr::verify(emitError, entries...); })))
    return {};
  return apply([&](auto &...entries) { return PlanAttr::get(parser.getContext(), entries...); });
}

/// Prints `, name = [a, b]`, unless there are none.
static void printList(AsmPrinter &printer, StringRef name, ArrayRef<int64_t> numbers) {
  if (numbers.empty())
    return;
  printer << ", " << name << " = [";
  llvm::interleaveComma(numbers, printer);
  printer << "]";
}

/// Prints `, name = [a : b, c : d]`, unless there are none.
static void printPairs(AsmPrinter &printer, StringRef name, ArrayRef<int64_t> numbers) {
  if (numbers.empty())
    return;
  printer << ", " << name << " = [";
  for (size_t first = 0; first < numbers.size(); first += 2)
    printer << (first == 0 ? "" : ", ") << numbers[first] << " : " << numbers[first + 1];
  printer << "]";
}

static void printNumber(AsmPrinter &printer, StringRef name, int64_t number, int64_t usual) {
  if (number != usual)
    printer << ", " << name << " = " << number;
}

void PlanAttr::print(AsmPrinter &printer) const {
  printer << "<lanes = " << getLanes() << " x " << getVectors() << " along " << getLaneLoop();
  printPairs(printer, "tiles", getTiles());
  printPairs(printer, "order", getOrder());
  printList(printer, "reductions", getReductions());
  printPairs(printer, "unroll", getUnroll());
  printNumber(printer, "partials", getPartials(), 1);
  printPairs(printer, "panels", getPanels());
  printList(printer, "prefetch", getPrefetch());
  printPairs(printer, "blocks", getBlocks());
  printList(printer, "writes", getWrites());
  printList(printer, "transposed", getTransposed());
  if (getInterleaved())
    printer << ", interleaved";
  printList(printer, "skew", getSkew());
  printNumber(printer, "epilogue", getEpilogue(), 0);
  printNumber(printer, "cycles", getCycles(), 0);
  printer << ">";
}

LogicalResult PlanAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t laneLoop, int64_t lanes,
                               int64_t vectors, ArrayRef<int64_t> tiles, ArrayRef<int64_t> order,
                               ArrayRef<int64_t> reductions, ArrayRef<int64_t> unroll, int64_t partials,
                               ArrayRef<int64_t> panels, ArrayRef<int64_t> prefetch, ArrayRef<int64_t> blocks,
                               ArrayRef<int64_t> writes, ArrayRef<int64_t> transposed, bool interleaved,
                               ArrayRef<int64_t> skew, int64_t epilogue, int64_t cycles) {
  if (lanes < 2 || !llvm::isPowerOf2_64(lanes))
    return emitError() << "lanes must be a power of two of at least two, got " << lanes;
  if (vectors < 1 || laneLoop < 0)
    return emitError() << "lanes need at least one vector along a loop";
  if (partials < 1 || !llvm::isPowerOf2_64(partials))
    return emitError() << "sets of accumulators must be a power of two, got " << partials;
  for (auto [name, pairs] : {std::pair("tiles", tiles), std::pair("order", order), std::pair("unroll", unroll)})
    for (size_t first = 0; first < pairs.size(); first += 2)
      if (pairs[first] < 0 || pairs[first + 1] < 1)
        return emitError() << name << " must name loops with at least one iteration each";
  for (auto [name, pairs] : {std::pair("panels", panels), std::pair("blocks", blocks)})
    for (size_t first = 0; first < pairs.size(); first += 2)
      if (pairs[first] < 0 || pairs[first + 1] < 0 || 2 * pairs[first + 1] >= int64_t(order.size()))
        return emitError() << name << " must name operands and entries of order";
  for (ArrayRef<int64_t> list : {reductions, prefetch, writes, transposed})
    if (llvm::any_of(list, [](int64_t number) { return number < 0; }))
      return emitError() << "loops and operands are counted from zero";
  if (!skew.empty() && (skew.size() != 3 || skew[0] < 0 || skew[1] < 0 || skew[2] < 1))
    return emitError() << "skew must be a parallel loop, a reduction loop and a positive ratio";
  if (epilogue < 0 || cycles < 0)
    return emitError() << "epilogue and cycles must not be negative";
  return success();
}
