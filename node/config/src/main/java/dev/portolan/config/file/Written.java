package dev.portolan.config.file;

import dev.portolan.text.Value;
import dev.portolan.text.Value.Mapping;
import dev.portolan.text.Value.Scalar;
import dev.portolan.text.Value.Sequence;
import dev.portolan.text.syntax.DoubleQuotes;
import dev.portolan.text.syntax.ScalarKind;

/** What a value of a configuration is, as Kubernetes reads it. */
final class Written {
  private Written() {}

  /** What {@code scalar} is; quotes make it text. */
  static ScalarKind kind(Scalar scalar) {
    return scalar.quoted() ? ScalarKind.TEXT : ScalarKind.of(scalar.text());
  }

  /** Whether {@code value} is of the kind {@code kind}. */
  static boolean isA(Value value, ScalarKind kind) {
    return value instanceof Scalar scalar && kind(scalar) == kind;
  }

  /** Whether {@code value} is nothing, which is the same as being absent. */
  static boolean isNull(Value value) {
    return isA(value, ScalarKind.NULL);
  }

  /** What {@code value} is, for a sentence. */
  static String describe(Value value) {
    return switch (value) {
      case Mapping mapping -> "a mapping";
      case Sequence sequence -> "a list";
      case Scalar scalar -> kind(scalar).label() + " " + DoubleQuotes.quote(scalar.text());
    };
  }
}
