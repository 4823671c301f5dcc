// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recursive-descent parser behind parse(); one method a construct, spread over parse_*.cpp. Methods expect to be
// called where their construct begins, leave `position` after it, and throw SyntaxError.
#pragma once

#include "futhark/syntax/lexer.h"
#include "futhark/syntax/parse.h"

#include <initializer_list>
#include <set>

namespace ferry::futhark::syntax {

class Parser {
public:
  /// Errors are thrown; warnings go to `diagnostics`.
  Parser(Program &program, std::vector<Token> tokens, const ParseOptions &options, Diagnostics &diagnostics)
      : program(program), tree(program.tree), tokens(std::move(tokens)), options(options), diagnostics(diagnostics) {}

  /// Appends to the program's declarations as it goes.
  void parseProgram();

private:
  // ---- Tokens (parser.cpp) ----
  const Token &peek(size_t ahead = 0) const;
  const Token &take();
  bool at(std::string_view text, size_t ahead = 0) const; ///< A keyword, operator or punctuation.
  bool atKind(TokenKind kind, size_t ahead = 0) const { return peek(ahead).kind == kind; }
  /// As `at`, with nothing between this token and the one before.
  bool atJoined(std::string_view text, size_t ahead = 0) const { return at(text, ahead) && !peek(ahead).spaceBefore; }
  bool accept(std::string_view text);
  const Token &expect(std::string_view text, std::string_view where);
  [[noreturn]] void fail(const Token &token, std::string message, std::string hint = {}) const;
  [[noreturn]] void unexpected(std::string_view wanted) const;
  /// From the token numbered `first` to the last one taken.
  SourceRange rangeFrom(size_t first) const;
  SourceRange rangeFrom(const SourceRange &first) const;

  /// Guards recursion.
  struct Nested {
    explicit Nested(Parser &parser);
    ~Nested() { --parser.nesting; }
    Nested(const Nested &) = delete;
    Nested &operator=(const Nested &) = delete;
    Parser &parser;
  };

  // ---- Names and attributes (parser.cpp) ----
  Name parseName(std::string_view what);
  Name parseFieldName();
  /// `m.n.x`; also `m.n.+` with `allowOperator`.
  QualifiedName parseQualifiedName(bool allowOperator = false);
  /// `(op)` of a definition: whether it begins here, and its name.
  bool atParenthesizedOperator() const;
  Name parseParenthesizedOperator();
  void checkDefinable(const Name &op) const;
  std::vector<TypeParameter> parseTypeParameters();
  bool atTypeParameter() const;
  Attributes parseAttributes();
  Attribute parseAttribute();
  void warnOfSlip(const Attribute &attribute);
  /// Elements separated by commas up to `close`, which is taken; a comma may follow the last.
  template <typename Element> void parseList(std::string_view close, std::string_view where, Element element) {
    while (!at(close)) {
      element();
      if (!accept(",") && !at(close))
        unexpected(std::string("',' or '") + std::string(close) + "' in " + std::string(where));
    }
    take();
  }

  // ---- Types (parse_types.cpp) ----
  TypeExpr *parseType();
  TypeExpr *parseTypeTerm(); ///< Without `->` at the root.
  TypeExpr *parseSumType();
  TypeExpr *parseTypeApplication();
  TypeExpr *parseTypeAtom();
  TypeExpr *parseParenthesizedType();
  TypeExpr *parseArrayType();
  TypeExpr *parseRecordType();
  TypeExpr *parseExistentialType();
  bool atTypeAtom() const;
  template <typename Node> TypeExpr *makeType(size_t first, Node node, std::initializer_list<unsigned> depths);

  // ---- Patterns (parse_patterns.cpp) ----
  Pattern *parsePattern(bool termTypeOnly = false); ///< With `: t`; `termTypeOnly` where `->` follows.
  Pattern *parseInnerPattern();                     ///< Without `: t` at the root.
  Pattern *parsePatternAtom();
  Pattern *parseParenthesizedPattern();
  Pattern *parseRecordPattern();
  bool atPatternAtom() const;
  std::vector<Pattern *> parseParameters();
  template <typename Node> Pattern *makePattern(size_t first, Node node, unsigned childDepth);

  // ---- Expressions (parse_expressions.cpp, parse_forms.cpp, parse_atoms.cpp) ----
  Expr *parseExpr();
  Expr *parseRange();
  Expr *parseBinary(int minimum);
  Expr *parseUpdates(Expr *target, size_t first);
  Expr *parseUnary();
  Expr *parseApplication();
  Expr *parseConstruct();
  bool atForm() const;
  Expr *parseForm();
  Expr *parseIf();
  Expr *parseLet();
  LetStatement parseLetStatement();
  LetStatement::Function parseLetFunction(Name name);
  LetStatement::Update parseLetUpdate();
  Expr *parseLoop();
  Expr *parseMatch();
  Expr *parseLambda();
  Expr *parseAssert();
  bool atAtom() const;
  Expr *parseAtom();
  Expr *parsePrimary();
  Expr *parsePostfix(Expr *primary, size_t first);
  Expr *parseNamePath();
  Expr *parseParenthesized();
  Expr *parseSection(size_t first);
  Expr *parseProjectionSection(size_t first);
  Expr *parseRecord();
  Expr *parseArray();
  std::vector<IndexPart> parseIndexParts(); ///< After `[`, takes `]`.
  IndexPart parseIndexPart();
  std::vector<LetStatement::Step> parsePath();
  void parsePathTail(std::vector<LetStatement::Step> &path);
  /// Tokens of the infix operator here, or 0: `+`, `m.n.+` or a backquoted name.
  size_t infixLength() const;
  QualifiedName parseInfix();
  template <typename Node> Expr *makeExpr(const SourceRange &range, Node node, unsigned childDepth) {
    limitDepth(range, childDepth + 1);
    Expr &expr = tree.expressions.emplace_back();
    expr.range = range;
    expr.depth = childDepth + 1;
    expr.node = std::move(node);
    return &expr;
  }
  void limitDepth(const SourceRange &range, unsigned depth) const;

  // ---- Declarations and modules (parse_declarations.cpp, parse_modules.cpp) ----
  Declaration *parseDeclaration();
  std::vector<Declaration *> parseDeclarations(std::string_view close);
  ValueDeclaration parseValueDeclaration();
  bool parseInfixDefinition(ValueDeclaration &declaration);
  TypeDeclaration parseTypeDeclaration();
  Lifting parseLifting();
  ModuleDeclaration parseModuleDeclaration();
  ModuleTypeDeclaration parseModuleTypeDeclaration();
  std::vector<ModuleParameter> parseModuleParameters();
  ModuleExpr *parseModule();
  ModuleExpr *parseModuleApplication();
  ModuleExpr *parseModuleAtom();
  ModuleExpr *parseModuleLambda();
  bool atModuleAtom() const;
  ModuleTypeExpr *parseModuleType();
  ModuleTypeExpr *parseModuleTypeWith();
  ModuleTypeExpr *parseModuleTypeAtom();
  ModuleTypeExpr *parseSpecs();
  Spec *parseSpec();
  ValueSpec parseValueSpec();
  std::string parseImportPath();
  template <typename Node> ModuleExpr *makeModule(size_t first, Node node, unsigned childDepth);
  template <typename Node> ModuleTypeExpr *makeModuleType(size_t first, Node node, unsigned childDepth);

  Program &program;
  Tree &tree;
  std::vector<Token> tokens;
  ParseOptions options;
  Diagnostics &diagnostics;
  std::set<size_t> warned; ///< Where: some text is parsed twice.
  size_t position = 0;
  unsigned nesting = 0;
};

/// Infix operators bind by their longest prefix that is built in; higher binds tighter.
int precedence(const QualifiedName &op);
bool isRightAssociative(const QualifiedName &op);

inline unsigned depthOf(const Expr *expr) { return expr ? expr->depth : 0; }
inline unsigned depthOf(const TypeExpr *type) { return type ? type->depth : 0; }
inline unsigned depthOf(const Pattern *pattern) { return pattern ? pattern->depth : 0; }
unsigned depthOf(const std::vector<Expr *> &exprs);
unsigned depthOf(const std::vector<Pattern *> &patterns);
unsigned depthOf(const std::vector<IndexPart> &parts);
unsigned depthOf(const std::vector<LetStatement::Step> &path);

} // namespace ferry::futhark::syntax
