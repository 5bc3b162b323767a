package dev.portolan.terminal.query;

import dev.portolan.core.text.Quotes;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Reads templates of {@link JsonPath}. */
final class PathParser {
  private static final String OPERATORS = "=!<>";

  private final String text;
  private int at;

  PathParser(String text) {
    this.text = text;
  }

  JsonPath template() {
    List<JsonPath.Part> parts = parts(false);
    return new JsonPath(parts);
  }

  private List<JsonPath.Part> parts(boolean inRange) {
    List<JsonPath.Part> parts = new ArrayList<>();
    while (at < text.length()) {
      int brace = text.indexOf('{', at);
      int end = brace < 0 ? text.length() : brace;
      if (end > at) {
        parts.add(new JsonPath.Literal(text.substring(at, end)));
      }
      at = end;
      if (brace < 0) {
        break;
      }
      at++;
      blanks();
      if (word("end")) {
        close();
        if (!inRange) {
          throw wrong("'end' without a range before it");
        }
        return parts;
      }
      if (word("range")) {
        JsonPath.Expression items = expression();
        close();
        parts.add(new JsonPath.Range(items, parts(true)));
      } else {
        inside(parts);
        close();
      }
    }
    if (inRange) {
      throw wrong("a range has no {end}");
    }
    return parts;
  }

  /** What is between two braces: texts and paths, one after another. */
  private void inside(List<JsonPath.Part> parts) {
    do {
      blanks();
      if (peek() == '"' || peek() == '\'') {
        parts.add(new JsonPath.Literal(quoted()));
      } else {
        parts.add(expression());
      }
      blanks();
    } while (peek() != '}' && peek() != 0);
  }

  private JsonPath.Expression expression() {
    blanks();
    boolean root = peek() == '$';
    if (root || peek() == '@') {
      at++;
    }
    return new JsonPath.Expression(path(), root);
  }

  private List<PathStep> path() {
    List<PathStep> steps = new ArrayList<>();
    while (true) {
      switch (peek()) {
        case '.' -> {
          at++;
          if (peek() == '.') {
            at++;
            steps.add(new PathStep.Below());
          }
          if (peek() == '*') {
            at++;
            steps.add(new PathStep.All());
          } else if (isLetter(peek())) {
            steps.add(new PathStep.Key(name()));
          }
        }
        case '[' -> {
          at++;
          steps.add(bracket());
        }
        default -> {
          if (steps.isEmpty() && isLetter(peek())) {
            throw wrong("a path starts with '.', as in .name");
          }
          return steps;
        }
      }
    }
  }

  private PathStep bracket() {
    blanks();
    if (peek() == '?') {
      PathStep filter = filter();
      expect(']');
      return filter;
    }
    List<PathStep> steps = new ArrayList<>();
    do {
      blanks();
      steps.add(one());
      blanks();
    } while (skip(','));
    expect(']');
    return steps.size() == 1 ? steps.getFirst() : new PathStep.Union(steps);
  }

  private PathStep one() {
    if (skip('*')) {
      return new PathStep.All();
    }
    if (peek() == '"' || peek() == '\'') {
      return new PathStep.Key(quoted());
    }
    OptionalInt from = number();
    if (!skip(':')) {
      return new PathStep.Item(
          from.orElseThrow(() -> wrong("expected a number, a name in quotes, * or ?(...)")));
    }
    OptionalInt to = number();
    int every = skip(':') ? number().orElse(1) : 1;
    if (every < 1) {
      throw wrong("the step of a slice must be 1 or more");
    }
    return new PathStep.Slice(from, to, every);
  }

  private PathStep filter() {
    expect('?');
    expect('(');
    PathStep.Operand left = operand();
    blanks();
    int start = at;
    while (OPERATORS.indexOf(peek()) >= 0 && peek() != 0) {
      at++;
    }
    String operator = text.substring(start, at);
    if (!List.of("", "==", "!=", "<", "<=", ">", ">=").contains(operator)) {
      throw wrong("'" + operator + "' is not an operator; write ==, !=, <, <=, > or >=");
    }
    PathStep.Operand right = operator.isEmpty() ? left : operand();
    blanks();
    expect(')');
    return new PathStep.Filter(left, operator, right);
  }

  private PathStep.Operand operand() {
    blanks();
    if (peek() == '"' || peek() == '\'') {
      return new PathStep.Operand(quoted(), null);
    }
    if (peek() == '@' || peek() == '.') {
      if (peek() == '@') {
        at++;
      }
      return new PathStep.Operand(null, path());
    }
    int start = at;
    while (isLetter(peek()) || peek() == '.' || peek() == '+') {
      at++;
    }
    return new PathStep.Operand(constant(text.substring(start, at)), null);
  }

  private @Nullable Object constant(String word) {
    switch (word) {
      case "true", "false" -> {
        return Boolean.valueOf(word);
      }
      case "null" -> {
        return null;
      }
      default -> {
        try {
          return Double.valueOf(word);
        } catch (NumberFormatException e) {
          throw wrong("'" + word + "' is not a value; write text in quotes");
        }
      }
    }
  }

  private OptionalInt number() {
    blanks();
    int start = at;
    if (peek() == '-') {
      at++;
    }
    while (Character.isDigit(peek())) {
      at++;
    }
    try {
      return at == start
          ? OptionalInt.empty()
          : OptionalInt.of(Integer.parseInt(text.substring(start, at)));
    } catch (NumberFormatException e) {
      throw wrong("'" + text.substring(start, at) + "' is not a number");
    }
  }

  private String name() {
    StringBuilder name = new StringBuilder();
    while (isLetter(peek()) || peek() == '\\') {
      if (peek() == '\\') {
        at++;
      }
      if (peek() != 0) {
        name.append(peek());
        at++;
      }
    }
    return name.toString();
  }

  private String quoted() {
    char quote = peek();
    at++;
    StringBuilder value = new StringBuilder();
    while (peek() != quote) {
      if (peek() == 0) {
        throw wrong("a quote is not closed");
      }
      if (peek() == '\\') {
        at++;
        value.append(
            switch (peek()) {
              case 'n' -> '\n';
              case 't' -> '\t';
              case 'r' -> '\r';
              default -> peek();
            });
      } else {
        value.append(peek());
      }
      at++;
    }
    at++;
    return value.toString();
  }

  private void close() {
    blanks();
    expect('}');
  }

  private void expect(char letter) {
    if (!skip(letter)) {
      throw wrong("expected '" + letter + "'");
    }
  }

  private boolean skip(char letter) {
    if (peek() != letter) {
      return false;
    }
    at++;
    return true;
  }

  private boolean word(String word) {
    int end = at + word.length();
    boolean there =
        text.startsWith(word, at) && (end >= text.length() || !isLetter(text.charAt(end)));
    at = there ? end : at;
    return there;
  }

  private void blanks() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\n') {
      at++;
    }
  }

  /** The letter at this place; 0 at the end. */
  private char peek() {
    return at < text.length() ? text.charAt(at) : 0;
  }

  private static boolean isLetter(char letter) {
    return letter > ' ' && ".[]{}()\"',:*?@$=!<>\\".indexOf(letter) < 0;
  }

  private IllegalArgumentException wrong(String problem) {
    String rest = text.substring(Math.min(at, text.length()));
    return new IllegalArgumentException(
        Quotes.quote(text)
            + ": "
            + problem
            + (rest.isEmpty() ? " at the end" : " before " + Quotes.quote(rest)));
  }
}
