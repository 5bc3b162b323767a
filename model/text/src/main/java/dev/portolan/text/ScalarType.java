package dev.portolan.text;

import static dev.portolan.core.text.Quotes.quote;

import dev.portolan.core.text.Quotes;
import dev.portolan.text.Value.Mapping;
import dev.portolan.text.Value.Scalar;
import dev.portolan.text.Value.Sequence;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a piece of text is, by the core schema of YAML 1.2, of which JSON's types are a part. */
enum ScalarType {
  NULL,
  TRUTH,
  INTEGER,
  FRACTION,
  TEXT,
  /** A mapping, a list, or something with a tag that is not known. */
  OTHER;

  private static final String PREFIX = "tag:yaml.org,2002:";
  private static final Pattern TRUTHS = Pattern.compile("true|True|TRUE|false|False|FALSE");
  private static final Pattern INTEGERS = Pattern.compile("[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+");
  private static final Pattern ZERO_PADDED = Pattern.compile("[-+]?0[0-9]+");
  private static final Pattern OCTAL = Pattern.compile("[-+]?0[0-7]+");
  private static final Pattern FRACTIONS =
      Pattern.compile(
          "[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?"
              + "|[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");

  /** The type of {@code value}. */
  static ScalarType of(Value value) {
    if (!(value instanceof Scalar scalar)) {
      return OTHER;
    }
    String tag = scalar.tag();
    if (tag == null) {
      return scalar.quoted() ? TEXT : ofPlain(scalar.text());
    }
    return switch (tag) {
      case "!", PREFIX + "str" -> TEXT;
      case PREFIX + "null" -> NULL;
      case PREFIX + "bool" -> TRUTHS.matcher(scalar.text()).matches() ? TRUTH : OTHER;
      case PREFIX + "int" -> INTEGERS.matcher(scalar.text()).matches() ? INTEGER : OTHER;
      case PREFIX + "float" -> FRACTION;
      default -> OTHER;
    };
  }

  /** Whether the tag of {@code value} is one that fits values of its shape. */
  static boolean isKnownTag(Value value) {
    String tag = String.valueOf(value.tag());
    return switch (value) {
      case Scalar scalar -> of(scalar) != OTHER;
      case Mapping mapping -> tag.equals("!") || tag.equals(PREFIX + "map");
      case Sequence sequence -> tag.equals("!") || tag.equals(PREFIX + "seq");
    };
  }

  /**
   * The number that {@code scalar} is, or null where an int cannot hold it. Digits after a zero are
   * octal where they can be, as Kubernetes reads them, although YAML 1.2 means them to be decimal.
   */
  static @Nullable Integer toInt(Scalar scalar) {
    String text = scalar.text();
    int radix = text.startsWith("0o") ? 8 : text.startsWith("0x") ? 16 : 10;
    try {
      if (OCTAL.matcher(text).matches()) {
        return Integer.valueOf(text, 8);
      }
      return Integer.valueOf(radix == 10 ? text : text.substring(2), radix);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /**
   * Whether {@code value} is a number whose digits begin with a zero, so that they may be octal.
   */
  static boolean isZeroPadded(@Nullable Value value) {
    return value instanceof Scalar scalar
        && scalar.text().length() > 1
        && "0+-".indexOf(scalar.text().charAt(0)) >= 0
        && of(scalar) == INTEGER
        && ZERO_PADDED.matcher(scalar.text()).matches();
  }

  /** {@code scalar} in an error message that expected something else. */
  static String describe(Scalar scalar) {
    return switch (of(scalar)) {
      case NULL -> "nothing";
      case TRUTH -> scalar.text();
      case INTEGER, FRACTION -> "the number " + Quotes.brief(scalar.text());
      case TEXT, OTHER -> (scalar.quoted() ? "the text " : "") + quote(scalar.text());
    };
  }

  private static ScalarType ofPlain(String text) {
    if (text.isEmpty()) {
      return NULL;
    }
    return switch (text.charAt(0)) {
      case '~', 'n', 'N' -> isNull(text) ? NULL : TEXT;
      case 't', 'T', 'f', 'F' -> TRUTHS.matcher(text).matches() ? TRUTH : TEXT;
      case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '+', '-', '.' -> ofNumber(text);
      default -> TEXT;
    };
  }

  private static ScalarType ofNumber(String text) {
    if (INTEGERS.matcher(text).matches()) {
      return INTEGER;
    }
    return FRACTIONS.matcher(text).matches() ? FRACTION : TEXT;
  }

  private static boolean isNull(String text) {
    return text.equals("~") || text.equals("null") || text.equals("Null") || text.equals("NULL");
  }
}
