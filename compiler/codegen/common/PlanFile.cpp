// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/codegen/common/PlanFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

using namespace plumb;

using llvm::StringRef;

/// The first line. The number counts versions of the format.
static constexpr llvm::StringLiteral kHeader = "plumb plans 1";

std::string plumb::getTargetKey(const CpuTarget &target) {
  if (target.features.empty())
    return target.cpu;
  uint32_t hash = uint32_t(llvm::xxh3_64bits(StringRef(target.features)));
  return target.cpu + "-" + llvm::utohexstr(hash, /*LowerCase=*/true, /*Width=*/8);
}

static llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

/// The next word of `text`, which it is removed from.
static StringRef takeWord(StringRef &text) {
  StringRef word = text.ltrim().take_until([](char letter) { return letter == ' '; });
  text = text.ltrim().drop_front(word.size()).ltrim();
  return word;
}

static llvm::Expected<PlanLine> readLine(StringRef path, unsigned number, StringRef text) {
  PlanLine line;
  line.number = number;
  line.target = takeWord(text).str();
  line.kernel = takeWord(text).str();
  bool isBad = takeWord(text).getAsInteger(10, line.operation);
  line.plan = text.rtrim().str();
  if (isBad || !text.starts_with("#kernel.plan<"))
    return makeError(path + ":" + llvm::Twine(number) +
                     ": expected a processor, a kernel's hash, an operation's number and its #kernel.plan<…>");
  return line;
}

llvm::Expected<std::vector<PlanLine>> plumb::readPlanFile(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return makeError("cannot read the plans in '" + path + "': " + buffer.getError().message());
  std::vector<PlanLine> lines;
  std::vector<std::string> comments;
  llvm::line_iterator at(**buffer, /*SkipBlanks=*/false);
  if (at.is_at_end() || at->rtrim() != kHeader)
    return makeError(path + ":1: expected '" + kHeader + "'; this is no file of plans, or one of another version");
  for (++at; !at.is_at_end(); ++at) {
    StringRef text = at->trim();
    if (text.empty())
      continue;
    if (text.starts_with("#")) {
      comments.push_back(text.drop_front().ltrim().str());
      continue;
    }
    llvm::Expected<PlanLine> line = readLine(path, at.line_number(), text);
    if (!line)
      return line.takeError();
    line->comments = std::move(comments);
    comments.clear();
    lines.push_back(std::move(*line));
  }
  return lines;
}

void plumb::writePlanFile(const std::vector<PlanLine> &lines, llvm::raw_ostream &os) {
  os << kHeader << "\n";
  for (const PlanLine &line : lines) {
    for (const std::string &comment : line.comments)
      os << "# " << comment << "\n";
    os << line.target << " " << line.kernel << " " << line.operation << " " << line.plan << "\n";
  }
}
