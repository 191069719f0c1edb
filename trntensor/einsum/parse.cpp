#include "trntensor/einsum/parse.hpp"

#include "trntensor/einsum/diagnostics.hpp"
#include "trntensor/einsum/spec.hpp"
#include "trntensor/einsum/tokens.hpp"

namespace trntensor::notation {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : tokens_(text) { notation_.text = text; }

  Notation run() {
    Term term = empty_term(0);
    for (;;) {
      const Token token = tokens_.next();
      if (token.kind == TokenKind::kLetter) {
        append(term, static_cast<std::int64_t>(token.letter), token.span);
      } else if (token.kind == TokenKind::kEllipsis) {
        append_ellipsis(term, token.span);
      } else {
        finish(std::move(term));
        if (token.kind == TokenKind::kEnd) return std::move(notation_);
        check_separator(token);
        in_output_ = token.kind == TokenKind::kArrow;
        term = empty_term(token.span.end);
      }
    }
  }

 private:
  static Term empty_term(std::size_t at) { return {{}, {at, at}}; }

  static void append(Term& term, std::int64_t id, Span span) {
    if (term.symbols.empty()) term.span.begin = span.begin;
    term.span.end = span.end;
    term.symbols.push_back({id, span});
  }

  void append_ellipsis(Term& term, Span span) {
    if (term_has_ellipsis_) {
      throw_at(notation_.text, span, "a second ellipsis in one term", "a term takes one ... at most");
    }
    term_has_ellipsis_ = true;
    append(term, kEllipsis, span);
  }

  void finish(Term term) {
    term_has_ellipsis_ = false;
    if (in_output_) {
      notation_.output = std::move(term);
    } else {
      notation_.inputs.push_back(std::move(term));
    }
  }

  void check_separator(const Token& token) const {
    if (!in_output_) return;
    if (token.kind == TokenKind::kArrow) {
      throw_at(notation_.text, token.span, "a second arrow", "the subscripts have one -> at most, before the output");
    }
    throw_at(notation_.text, token.span, "a comma behind the arrow",
             "there is one output; write the operands' terms before the arrow");
  }

  Tokenizer tokens_;
  Notation notation_;
  bool in_output_ = false;
  bool term_has_ellipsis_ = false;
};

}  // namespace

Notation parse(std::string_view text) { return Parser(text).run(); }

}  // namespace trntensor::notation
