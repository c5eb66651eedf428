// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/specialize/run/CallChain.h"

#include "compiler/specialize/tensors/PackageLocation.h"

using namespace mlir;

namespace plumb::specialize {

std::optional<Location> CallChain::getUserPlace(const Diagnostic &diagnostic) const {
  if (!isInPackage(diagnostic.getLocation()))
    return std::nullopt;
  for (const CallSite &site : llvm::reverse(sites))
    if (!isInPackage(site.location) && site.location->findInstanceOf<FileLineColLoc>())
      return site.location;
  return std::nullopt;
}

/// The innermost calls tell most; a long middle is left out. The entry's own
/// call and those of the package are none that the user wrote.
void CallChain::attachTo(Diagnostic &diagnostic, bool moved) const {
  constexpr size_t shown = 6;
  // A value that is None by mistake.
  if (withoutReturn && StringRef(diagnostic.str()).contains("None"))
    diagnostic.attachNote(net::PythonFuncOp(withoutReturn).getLoc())
        << "'" << net::PythonFuncOp(withoutReturn).getSymName() << "' ends without 'return'";
  SmallVector<const CallSite *> users;
  for (const CallSite &site : llvm::reverse(sites))
    if (!isInPackage(site.location) && (!entry || site.location != *entry))
      users.push_back(&site);
  if (moved && !users.empty())
    users.erase(users.begin());
  for (size_t i = 0; i < users.size(); ++i) {
    if (i == shown && users.size() > shown + 2) {
      diagnostic.attachNote(users[i]->location) << "… " << users.size() - shown - 1 << " more calls";
      i = users.size() - 1;
    }
    // What the package interprets a construct of the language by, has no name for the user.
    bool isNamed = !StringRef(users[i]->callee).starts_with("plumb._parse.");
    diagnostic.attachNote(users[i]->location)
        << (isNamed ? "in '" + users[i]->callee + "', called from here" : std::string("called from here"));
  }
}

} // namespace plumb::specialize
