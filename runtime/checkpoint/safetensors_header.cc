// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/checkpoint/safetensors_header.h"

#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"

namespace plumb {
namespace {

struct TypeName {
  ElementType element;
  absl::string_view name;
};

constexpr TypeName kTypeNames[] = {
    {ElementType::f64, "F64"}, {ElementType::f32, "F32"}, {ElementType::f16, "F16"}, {ElementType::bf16, "BF16"},
    {ElementType::i64, "I64"}, {ElementType::i32, "I32"}, {ElementType::i16, "I16"}, {ElementType::i8, "I8"},
    {ElementType::u64, "U64"}, {ElementType::u32, "U32"}, {ElementType::u16, "U16"}, {ElementType::u8, "U8"},
    {ElementType::i1, "BOOL"},
};

constexpr size_t kMaxRank = 64;

// A cursor over the text; every function consumes what it names or fails.
class Reader {
 public:
  explicit Reader(absl::string_view text) : text_(text) {}

  absl::Status Header(SafetensorsHeader* header) {
    PLUMB_RETURN_IF_ERROR(Object([&](const std::string& key) {
      if (key == kMetadataName) return Metadata(&header->metadata);
      header->entries.emplace_back();
      header->entries.back().name = key;
      return Entry(&header->entries.back());
    }));
    SkipSpace();
    return at_ == text_.size() ? absl::OkStatus() : Error("nothing but spaces after the header's object");
  }

 private:
  absl::Status Error(absl::string_view wanted) const {
    return absl::DataLossError(absl::StrCat("header, byte ", at_, ": wanted ", wanted));
  }

  void SkipSpace() {
    while (at_ < text_.size() && absl::StrContains(" \t\r\n", text_.substr(at_, 1))) ++at_;
  }

  bool Accept(char wanted) {
    SkipSpace();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  absl::Status Expect(char wanted) {
    return Accept(wanted) ? absl::OkStatus() : Error(absl::StrCat("'", absl::string_view(&wanted, 1), "'"));
  }

  // `{"key": …, …}` with distinct keys; `value` reads what follows the colon.
  template <typename Value>
  absl::Status Object(Value value) {
    PLUMB_RETURN_IF_ERROR(Expect('{'));
    if (Accept('}')) return absl::OkStatus();
    std::set<std::string> seen;
    do {
      std::string key;
      PLUMB_RETURN_IF_ERROR(String(&key));
      if (!seen.insert(key).second) return absl::DataLossError(absl::StrCat("header: '", key, "' appears twice"));
      PLUMB_RETURN_IF_ERROR(Expect(':'));
      PLUMB_RETURN_IF_ERROR(value(key));
    } while (Accept(','));
    return Expect('}');
  }

  absl::Status Metadata(std::map<std::string, std::string>* metadata) {
    return Object([&](const std::string& key) { return String(&(*metadata)[key]); });
  }

  absl::Status Entry(SafetensorsEntry* entry) {
    int fields = 0;
    absl::Status status = Object([&](const std::string& key) {
      ++fields;
      if (key == "dtype") return Type(&entry->element);
      if (key == "shape") return Numbers(&entry->shape);
      if (key == "data_offsets") return Offsets(entry);
      return Error("no field but dtype, shape and data_offsets");
    });
    if (status.ok() && fields != 3) status = Error("dtype, shape and data_offsets");
    return Annotate(status, absl::StrCat("tensor '", entry->name, "'"));
  }

  absl::Status Type(ElementType* element) {
    std::string name;
    PLUMB_RETURN_IF_ERROR(String(&name));
    for (const TypeName& type : kTypeNames) {
      if (type.name != name) continue;
      *element = type.element;
      return absl::OkStatus();
    }
    return absl::DataLossError(absl::StrCat("header: unknown dtype '", name, "'"));
  }

  absl::Status Offsets(SafetensorsEntry* entry) {
    std::vector<int64_t> offsets;
    PLUMB_RETURN_IF_ERROR(Numbers(&offsets));
    if (offsets.size() != 2) return Error("two data_offsets");
    entry->begin = static_cast<uint64_t>(offsets[0]);
    entry->end = static_cast<uint64_t>(offsets[1]);
    return absl::OkStatus();
  }

  absl::Status Numbers(std::vector<int64_t>* numbers) {
    PLUMB_RETURN_IF_ERROR(Expect('['));
    if (Accept(']')) return absl::OkStatus();
    do {
      if (numbers->size() == kMaxRank) return Error("no more numbers");
      numbers->emplace_back();
      PLUMB_RETURN_IF_ERROR(Number(&numbers->back()));
    } while (Accept(','));
    return Expect(']');
  }

  // Digits only: the format has no negative or broken sizes.
  absl::Status Number(int64_t* number) {
    SkipSpace();
    size_t start = at_;
    *number = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      if (__builtin_mul_overflow(*number, 10, number) || __builtin_add_overflow(*number, text_[at_] - '0', number)) {
        return Error("a number below 2^63");
      }
    }
    return at_ > start ? absl::OkStatus() : Error("a number");
  }

  absl::Status String(std::string* out) {
    PLUMB_RETURN_IF_ERROR(Expect('"'));
    while (at_ < text_.size() && text_[at_] != '"') {
      unsigned char next = static_cast<unsigned char>(text_[at_]);
      if (next < 0x20) return Error("no control character in a string");
      if (next != '\\') {
        out->push_back(text_[at_++]);
        continue;
      }
      ++at_;
      PLUMB_RETURN_IF_ERROR(Escape(out));
    }
    return Expect('"');
  }

  absl::Status Escape(std::string* out) {
    if (at_ == text_.size()) return Error("an escape");
    constexpr absl::string_view kFrom = "\"\\/bfnrt", kTo = "\"\\/\b\f\n\r\t";
    char kind = text_[at_++];
    if (size_t i = kFrom.find(kind); i != absl::string_view::npos) {
      out->push_back(kTo[i]);
      return absl::OkStatus();
    }
    uint32_t code = 0;
    if (kind != 'u' || !Hex(&code)) return Error("an escape");
    if (code >= 0xD800 && code < 0xDC00) {
      uint32_t low = 0;
      if (text_.substr(at_, 2) != "\\u") return Error("the second half of a character");
      at_ += 2;
      if (!Hex(&low) || low < 0xDC00 || low > 0xDFFF) return Error("the second half of a character");
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    AppendUtf8(code, out);
    return absl::OkStatus();
  }

  bool Hex(uint32_t* code) {
    for (int i = 0; i < 4; ++i, ++at_) {
      if (at_ == text_.size() || !absl::ascii_isxdigit(static_cast<unsigned char>(text_[at_]))) return false;
      char digit = text_[at_];
      *code = *code * 16 + static_cast<uint32_t>(digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10);
    }
    return true;
  }

  static void AppendUtf8(uint32_t code, std::string* out) {
    auto tail = [&](int shift) { out->push_back(static_cast<char>(0x80 | (code >> shift & 0x3f))); };
    if (code < 0x80) {
      out->push_back(static_cast<char>(code));
    } else if (code < 0x800) {
      out->push_back(static_cast<char>(0xC0 | code >> 6)), tail(0);
    } else if (code < 0x10000) {
      out->push_back(static_cast<char>(0xE0 | code >> 12)), tail(6), tail(0);
    } else {
      out->push_back(static_cast<char>(0xF0 | code >> 18)), tail(12), tail(6), tail(0);
    }
  }

  absl::string_view text_;
  size_t at_ = 0;
};

std::string Quoted(absl::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      absl::StrAppendFormat(&out, "\\u%04x", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace

absl::string_view SafetensorsTypeName(ElementType element) {
  for (const TypeName& type : kTypeNames) {
    if (type.element == element) return type.name;
  }
  return "?";
}

absl::StatusOr<SafetensorsHeader> ParseSafetensorsHeader(absl::string_view json) {
  SafetensorsHeader header;
  PLUMB_RETURN_IF_ERROR(Reader(json).Header(&header));
  return header;
}

std::string FormatSafetensorsHeader(const SafetensorsHeader& header) {
  std::vector<std::string> fields;
  if (!header.metadata.empty()) {
    std::vector<std::string> pairs;
    for (const auto& [key, value] : header.metadata) pairs.push_back(absl::StrCat(Quoted(key), ":", Quoted(value)));
    fields.push_back(absl::StrCat(Quoted(kMetadataName), ":{", absl::StrJoin(pairs, ","), "}"));
  }
  for (const SafetensorsEntry& entry : header.entries) {
    fields.push_back(absl::StrCat(Quoted(entry.name), ":{\"dtype\":\"", SafetensorsTypeName(entry.element),
                                  "\",\"shape\":[", absl::StrJoin(entry.shape, ","), "],\"data_offsets\":[",
                                  entry.begin, ",", entry.end, "]}"));
  }
  return absl::StrCat("{", absl::StrJoin(fields, ","), "}");
}

}  // namespace plumb
