// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes JSON: enough for the tools' reports. Commas and nesting are the writer's business.

#ifndef PLUMB_RUNTIME_BASE_JSON_H_
#define PLUMB_RUNTIME_BASE_JSON_H_

#include <cmath>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"

namespace plumb {

/// Builds one JSON text. Every value inside an object is preceded by Key.
class JsonWriter {
 public:
  JsonWriter& BeginObject() { return Open('{'); }
  JsonWriter& EndObject() { return Close('}'); }
  JsonWriter& BeginArray() { return Open('['); }
  JsonWriter& EndArray() { return Close(']'); }
  JsonWriter& Key(absl::string_view name) {
    Comma();
    Quote(name);
    text_ += ": ";
    fresh_ = true;
    return *this;
  }
  JsonWriter& String(absl::string_view value) {
    Comma();
    Quote(value);
    return *this;
  }
  JsonWriter& Int(int64_t value) { return Raw(absl::StrCat(value)); }
  JsonWriter& UInt(uint64_t value) { return Raw(absl::StrCat(value)); }
  JsonWriter& Bool(bool value) { return Raw(value ? "true" : "false"); }
  /// NaN and infinities, which JSON lacks, become null.
  JsonWriter& Double(double value) { return Raw(std::isfinite(value) ? absl::StrFormat("%.9g", value) : "null"); }
  /// A value that is JSON already.
  JsonWriter& Raw(absl::string_view json) {
    Comma();
    absl::StrAppend(&text_, json);
    return *this;
  }

  const std::string& text() const { return text_; }

 private:
  void Comma() {
    if (!fresh_) text_ += ", ";
    fresh_ = false;
  }
  JsonWriter& Open(char bracket) {
    Comma();
    text_ += bracket;
    fresh_ = true;
    return *this;
  }
  JsonWriter& Close(char bracket) {
    text_ += bracket;
    fresh_ = false;
    return *this;
  }
  void Quote(absl::string_view value) {
    text_ += '"';
    for (char c : value) {
      if (c == '"' || c == '\\') {
        text_ += '\\';
        text_ += c;
      } else if (static_cast<unsigned char>(c) < 0x20) {
        absl::StrAppendFormat(&text_, "\\u%04x", static_cast<int>(c));
      } else {
        text_ += c;
      }
    }
    text_ += '"';
  }

  std::string text_;
  bool fresh_ = true;  // no comma before what comes next
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_BASE_JSON_H_
