// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/executable/load_plan.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>

#include "runtime/abi/executable_abi.h"
#include "runtime/base/status.h"
#include "runtime/executable/host_functions.h"

namespace plumb {
namespace {

using Bytes = absl::Span<const uint8_t>;

// An image is hardly larger than its file: segments are moved apart by at most a page of some machine, and nothing but
// padding is not in the file.
constexpr uint64_t kMaxPadding = uint64_t{1} << 16;
constexpr uint64_t kMaxGaps = uint64_t{1} << 22;
constexpr size_t kMaxDynamicEntries = 256;

template <typename... Parts>
absl::Status Refused(const Parts&... parts) {
  return absl::DataLossError(absl::StrCat("corrupted or hostile: ", parts...));
}

/// Copies record `index` out of a table, because nothing promises its alignment.
template <typename Record>
Record At(Bytes table, size_t index) {
  Record record;
  std::memcpy(&record, table.data() + index * sizeof(Record), sizeof(Record));
  return record;
}

bool Inside(uint64_t begin, uint64_t size, uint64_t outer_begin, uint64_t outer_size) {
  return begin >= outer_begin && begin - outer_begin <= outer_size && size <= outer_size - (begin - outer_begin);
}

uint64_t PageDown(uint64_t address) { return address & ~(kLoadPage - 1); }
uint64_t PageUp(uint64_t address) { return PageDown(address + kLoadPage - 1); }

/// What dynamic tags may stand in a Plumb executable. Those that name libraries are read and not followed.
bool IsHarmlessTag(int64_t tag) {
  switch (tag) {
    case DT_NEEDED:
    case DT_HASH:
    case DT_GNU_HASH:
    case DT_STRTAB:
    case DT_SYMTAB:
    case DT_RELA:
    case DT_RELASZ:
    case DT_RELAENT:
    case DT_RELACOUNT:
    case DT_STRSZ:
    case DT_SYMENT:
    case DT_PLTGOT:
    case DT_PLTRELSZ:
    case DT_PLTREL:
    case DT_JMPREL:
    case DT_BIND_NOW:
    case DT_FLAGS:
    case DT_FLAGS_1:
    case DT_VERSYM:
    case DT_VERNEED:
    case DT_VERNEEDNUM: return true;
    default: return false;
  }
}

std::string TagName(int64_t tag) {
  switch (tag) {
    case DT_INIT:
    case DT_INIT_ARRAY:
    case DT_PREINIT_ARRAY: return "asks for code that runs while it is loaded (DT_INIT)";
    case DT_FINI:
    case DT_FINI_ARRAY: return "asks for code that runs when it is given back (DT_FINI)";
    case DT_RPATH:
    case DT_RUNPATH: return "names folders for libraries (DT_RUNPATH)";
    case DT_TEXTREL: return "wants its code to be changed (DT_TEXTREL)";
    default: return absl::StrCat("has the dynamic tag 0x", absl::Hex(static_cast<uint64_t>(tag)));
  }
}

/// Makes one plan; each function checks one table and needs those before it.
class Planner {
 public:
  Planner(Bytes file, const ElfImage& image) : file_(file), image_(image), machine_(image.machine()) {}

  absl::StatusOr<LoadPlan> Run() {
    PLUMB_RETURN_IF_ERROR(ReadSegments());
    PLUMB_RETURN_IF_ERROR(ReadDynamicTable());
    PLUMB_RETURN_IF_ERROR(ReadSymbols());
    PLUMB_RETURN_IF_ERROR(ReadRelocations(DT_RELA, DT_RELASZ));
    PLUMB_RETURN_IF_ERROR(ReadRelocations(DT_JMPREL, DT_PLTRELSZ));
    PLUMB_RETURN_IF_ERROR(FindQuery());
    PLUMB_RETURN_IF_ERROR(FindHole());
    return std::move(plan_);
  }

 private:
  /// The manifest's section must not reach into code or into what is relocated, which then would not be copied.
  absl::Status FindHole() {
    const ElfSection* manifest = image_.Find(PLUMB_MANIFEST_SECTION);
    if (manifest == nullptr) return absl::OkStatus();
    plan_.hole_begin = static_cast<uint64_t>(manifest->bytes.data() - file_.data());
    plan_.hole_end = plan_.hole_begin + manifest->bytes.size();
    for (const LoadSegment& segment : plan_.segments) {
      const bool apart = plan_.hole_end <= segment.offset || plan_.hole_begin >= segment.offset + segment.file_bytes;
      if (!apart && (segment.executable || segment.writable))
        return Refused("its manifest reaches into its code or its data");
    }
    return absl::OkStatus();
  }

  absl::Status ReadSegments() {
    for (const Elf64_Phdr& segment : image_.segments()) {
      switch (segment.p_type) {
        case PT_LOAD: PLUMB_RETURN_IF_ERROR(AddSegment(segment)); break;
        case PT_DYNAMIC:
          if (dynamic_.p_type == PT_DYNAMIC) return Refused("two dynamic tables");
          dynamic_ = segment;
          break;
        case PT_GNU_RELRO: constant_ = segment; break;
        case PT_GNU_STACK:
          if (segment.p_flags & PF_X) return Refused("it wants a stack that can be executed");
          break;
        case PT_NULL:
        case PT_PHDR:
        case PT_NOTE:
        case PT_GNU_EH_FRAME: break;
        default: return Refused("a program segment of type 0x", absl::Hex(segment.p_type));
      }
    }
    if (plan_.segments.empty() || plan_.segments[0].address >= kLoadPage)
      return Refused("nothing lies at its beginning");
    if (plan_.bytes > file_.size() + kMaxGaps) return Refused("an image of ", plan_.bytes, " bytes");
    return FindConstantPages();
  }

  absl::Status AddSegment(const Elf64_Phdr& segment) {
    const std::string name = absl::StrCat("segment ", plan_.segments.size());
    if ((segment.p_flags & ~uint32_t{PF_R | PF_W | PF_X}) || !(segment.p_flags & PF_R) ||
        ((segment.p_flags & PF_W) && (segment.p_flags & PF_X))) {
      return Refused(name, " has the rights ", segment.p_flags, "; code is never writable");
    }
    if (!Inside(segment.p_offset, segment.p_filesz, 0, file_.size())) return Refused(name, " lies outside the file");
    if (segment.p_memsz < segment.p_filesz || segment.p_memsz - segment.p_filesz > kMaxPadding ||
        segment.p_memsz == 0) {
      return Refused(name, " takes ", segment.p_memsz, " bytes of memory for ", segment.p_filesz, " of the file");
    }
    if (segment.p_vaddr % kLoadPage != segment.p_offset % kLoadPage || segment.p_vaddr > file_.size() + kMaxGaps ||
        PageDown(segment.p_vaddr) < plan_.bytes) {
      return Refused(name, " lies at an impossible address");
    }
    plan_.segments.push_back({segment.p_vaddr, segment.p_offset, segment.p_filesz, segment.p_memsz,
                              (segment.p_flags & PF_W) != 0, (segment.p_flags & PF_X) != 0});
    plan_.bytes = PageUp(segment.p_vaddr + segment.p_memsz);
    return absl::OkStatus();
  }

  /// Linkers round the end up to a page. Pages of which a part is not constant stay writable.
  absl::Status FindConstantPages() {
    if (constant_.p_type != PT_GNU_RELRO) return absl::OkStatus();
    const LoadSegment* segment = FindSegment(constant_.p_vaddr, 1);
    if (segment == nullptr || !segment->writable ||
        !Inside(constant_.p_vaddr, constant_.p_memsz, segment->address,
                PageUp(segment->address + segment->memory_bytes) - segment->address)) {
      return Refused("the constant part lies outside the writable segments");
    }
    const bool is_first = constant_.p_vaddr == segment->address;
    plan_.constant_begin = is_first ? PageDown(constant_.p_vaddr) : PageUp(constant_.p_vaddr);
    plan_.constant_end = std::max(plan_.constant_begin, PageDown(constant_.p_vaddr + constant_.p_memsz));
    return absl::OkStatus();
  }

  const LoadSegment* FindSegment(uint64_t address, uint64_t size) const {
    for (const LoadSegment& segment : plan_.segments) {
      if (Inside(address, size, segment.address, segment.memory_bytes)) return &segment;
    }
    return nullptr;
  }

  /// The bytes of the file that lie at `address` of the image.
  absl::StatusOr<Bytes> BytesAt(uint64_t address, uint64_t size, absl::string_view what) const {
    for (const LoadSegment& segment : plan_.segments) {
      if (!Inside(address, size, segment.address, segment.file_bytes)) continue;
      return file_.subspan(segment.offset + (address - segment.address), size);
    }
    return Refused(what, " lies outside the segments");
  }

  absl::Status ReadDynamicTable() {
    if (dynamic_.p_type != PT_DYNAMIC) return Refused("it has no dynamic table");
    PLUMB_ASSIGN_OR_RETURN(Bytes table, BytesAt(dynamic_.p_vaddr, dynamic_.p_filesz, "the dynamic table"));
    const size_t count = table.size() / sizeof(Elf64_Dyn);
    if (count > kMaxDynamicEntries) return Refused("a dynamic table of ", count, " entries");
    for (size_t i = 0; i < count; ++i) {
      const Elf64_Dyn entry = At<Elf64_Dyn>(table, i);
      if (entry.d_tag == DT_NULL) return CheckTags();
      if (!IsHarmlessTag(entry.d_tag)) return Refused("it ", TagName(entry.d_tag));
      if (entry.d_tag == DT_NEEDED) {
        needed_.push_back(entry.d_un.d_val);
      } else if (!tags_.emplace(entry.d_tag, entry.d_un.d_val).second) {
        return Refused("the dynamic tag 0x", absl::Hex(static_cast<uint64_t>(entry.d_tag)), " stands there twice");
      }
    }
    return Refused("its dynamic table has no end");
  }

  uint64_t Tag(int64_t tag) const {
    auto found = tags_.find(tag);
    return found == tags_.end() ? 0 : found->second;
  }

  absl::Status CheckTags() const {
    if (Tag(DT_FLAGS) & ~uint64_t{DF_BIND_NOW}) return Refused("the flags 0x", absl::Hex(Tag(DT_FLAGS)));
    if (Tag(DT_FLAGS_1) & ~uint64_t{DF_1_NOW})
      return Refused("the flags 0x", absl::Hex(Tag(DT_FLAGS_1)), " (DT_FLAGS_1)");
    if (tags_.count(DT_PLTREL) && Tag(DT_PLTREL) != DT_RELA) return Refused("relocations of an unknown kind");
    if (tags_.count(DT_SYMENT) && Tag(DT_SYMENT) != sizeof(Elf64_Sym)) return Refused("symbols of an unknown size");
    if (tags_.count(DT_RELAENT) && Tag(DT_RELAENT) != sizeof(Elf64_Rela))
      return Refused("relocations of an unknown size");
    return absl::OkStatus();
  }

  absl::Status ReadSymbols() {
    PLUMB_ASSIGN_OR_RETURN(names_, BytesAt(Tag(DT_STRTAB), Tag(DT_STRSZ), "the table of names"));
    // The section says how many symbols there are; the dynamic table does not.
    const ElfSection* section = image_.Find(".dynsym");
    if (section == nullptr) return Refused("it has no table of symbols");
    PLUMB_ASSIGN_OR_RETURN(symbols_, BytesAt(Tag(DT_SYMTAB), section->bytes.size(), "the table of symbols"));
    if (symbols_.data() != section->bytes.data()) return Refused("its two tables of symbols differ");
    for (uint64_t needed : needed_) {
      PLUMB_ASSIGN_OR_RETURN(std::string library, Name(needed));
      if (library != "libm.so.6" && library != "libc.so.6") return Refused("it needs the library '", library, "'");
    }
    return absl::OkStatus();
  }

  absl::StatusOr<std::string> Name(uint64_t offset) const {
    if (offset >= names_.size()) return Refused("a name lies outside the table of names");
    const Bytes tail = names_.subspan(offset);
    auto end = std::find(tail.begin(), tail.end(), 0);
    if (end == tail.end()) return Refused("a name has no end");
    return std::string(tail.begin(), end);
  }

  size_t symbol_count() const { return symbols_.size() / sizeof(Elf64_Sym); }

  absl::Status ReadRelocations(int64_t table_tag, int64_t size_tag) {
    if (!tags_.count(table_tag) && Tag(size_tag) == 0) return absl::OkStatus();
    PLUMB_ASSIGN_OR_RETURN(Bytes table, BytesAt(Tag(table_tag), Tag(size_tag), "a table of relocations"));
    for (size_t i = 0; i < table.size() / sizeof(Elf64_Rela); ++i) {
      const Elf64_Rela entry = At<Elf64_Rela>(table, i);
      const LoadSegment* segment = FindSegment(entry.r_offset, sizeof(uint64_t));
      if (segment == nullptr || !segment->writable) {
        return Refused("relocation ", i, " writes outside the writable segments");
      }
      LoadRelocation relocation;
      relocation.target = entry.r_offset;
      PLUMB_RETURN_IF_ERROR(SetValue(entry, &relocation));
      plan_.relocations.push_back(relocation);
    }
    return absl::OkStatus();
  }

  bool IsRelative(uint64_t type) const {
    return type == (machine_ == EM_X86_64 ? R_X86_64_RELATIVE : R_AARCH64_RELATIVE);
  }

  bool IsSymbolic(uint64_t type) const {
    if (machine_ == EM_X86_64) return type == R_X86_64_64 || type == R_X86_64_GLOB_DAT || type == R_X86_64_JUMP_SLOT;
    return type == R_AARCH64_ABS64 || type == R_AARCH64_GLOB_DAT || type == R_AARCH64_JUMP_SLOT;
  }

  absl::Status SetValue(const Elf64_Rela& entry, LoadRelocation* relocation) const {
    const uint64_t type = ELF64_R_TYPE(entry.r_info);
    relocation->value = static_cast<uint64_t>(entry.r_addend);
    if (IsSymbolic(type)) {
      const uint64_t index = ELF64_R_SYM(entry.r_info);
      if (index == 0 || index >= symbol_count()) return Refused("a relocation names a symbol that is not there");
      const Elf64_Sym symbol = At<Elf64_Sym>(symbols_, index);
      if (symbol.st_shndx == SHN_UNDEF) return SetFunction(symbol, entry.r_addend, relocation);
      if (ELF64_ST_TYPE(symbol.st_info) > STT_FUNC) return Refused("a relocation names a symbol of an unknown kind");
      relocation->value += symbol.st_value;
    } else if (!IsRelative(type)) {
      return Refused("relocations of type ", type, " (an executable has relative and symbolic ones)");
    }
    if (relocation->value < plan_.bytes) return absl::OkStatus();
    return Refused("a relocation points outside the image");
  }

  absl::Status SetFunction(const Elf64_Sym& symbol, int64_t addend, LoadRelocation* relocation) const {
    PLUMB_ASSIGN_OR_RETURN(std::string name, Name(symbol.st_name));
    relocation->function = FindHostFunction(name);
    if (relocation->function != nullptr && addend == 0) return absl::OkStatus();
    return Refused("it calls '", name, "', which is none of the functions that an executable may call");
  }

  absl::Status FindQuery() {
    for (size_t i = 1; i < symbol_count(); ++i) {
      const Elf64_Sym symbol = At<Elf64_Sym>(symbols_, i);
      if (symbol.st_shndx == SHN_UNDEF) continue;
      PLUMB_ASSIGN_OR_RETURN(std::string name, Name(symbol.st_name));
      if (name != PLUMB_EXECUTABLE_QUERY_SYMBOL) continue;
      const LoadSegment* segment = FindSegment(symbol.st_value, 1);
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || segment == nullptr || !segment->executable) {
        return Refused(name, " is no function of its code");
      }
      plan_.query = symbol.st_value;
      return absl::OkStatus();
    }
    return Refused("it exports no ", PLUMB_EXECUTABLE_QUERY_SYMBOL);
  }

  const Bytes file_;
  const ElfImage& image_;
  const uint16_t machine_;
  LoadPlan plan_;
  Elf64_Phdr dynamic_ = {};
  Elf64_Phdr constant_ = {};
  std::map<int64_t, uint64_t> tags_;
  std::vector<uint64_t> needed_;
  Bytes names_;
  Bytes symbols_;
};

}  // namespace

absl::StatusOr<LoadPlan> MakeLoadPlan(Bytes file, const ElfImage& image) { return Planner(file, image).Run(); }

}  // namespace plumb
