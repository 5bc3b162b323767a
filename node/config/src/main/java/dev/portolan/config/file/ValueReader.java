package dev.portolan.config.file;

import dev.portolan.config.fields.FieldType;
import dev.portolan.config.fields.VmoduleItem;
import dev.portolan.core.text.GoDuration;
import dev.portolan.core.text.KubeQuantity;
import dev.portolan.text.FilePosition;
import dev.portolan.text.Value;
import dev.portolan.text.Value.Entry;
import dev.portolan.text.Value.Mapping;
import dev.portolan.text.Value.Scalar;
import dev.portolan.text.Value.Sequence;
import dev.portolan.text.syntax.DoubleQuotes;
import dev.portolan.text.syntax.ScalarKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads a value with the type that its field has; what does not fit is reported. */
final class ValueReader {
  private static final long MOST_UINT32 = 0xffffffffL;

  private final Problems problems;

  ValueReader(Problems problems) {
    this.problems = problems;
  }

  /** The value, or null where it does not fit and that was reported. */
  @Nullable Object read(FieldType type, String path, Value value) {
    return switch (type) {
      case TEXT -> text(type, path, value);
      case TRUTH -> truth(type, path, value);
      case INT32 -> {
        Long number = whole(type, path, value, Integer.MIN_VALUE, Integer.MAX_VALUE);
        yield number == null ? null : (Object) number.intValue();
      }
      case UINT32 -> whole(type, path, value, 0, MOST_UINT32);
      case FLOAT32 -> fraction(type, path, value);
      case DURATION -> duration(type, path, value);
      case NANOSECONDS -> {
        if (Written.isA(value, ScalarKind.INTEGER)) {
          Long nanos = whole(type, path, value, -Long.MAX_VALUE, Long.MAX_VALUE);
          yield nanos == null ? null : Duration.ofNanos(nanos);
        }
        yield duration(type, path, value);
      }
      case QUANTITY -> quantity(type, path, value);
      case TEXTS -> texts(type, path, value);
      case GATES -> gates(type, path, value);
      case VMODULE -> vmodule(type, path, value);
    };
  }

  private @Nullable String text(FieldType type, String path, Value value) {
    if (value instanceof Scalar scalar && Written.kind(scalar) == ScalarKind.TEXT) {
      return scalar.text();
    }
    return expected(
        type, path, value, value instanceof Scalar ? "put it in quotes" : "write one value");
  }

  private @Nullable Boolean truth(FieldType type, String path, Value value) {
    if (value instanceof Scalar scalar && Written.kind(scalar) == ScalarKind.TRUTH) {
      return ScalarKind.isTrue(scalar.text());
    }
    return expected(type, path, value, "write it without quotes");
  }

  private @Nullable Long whole(FieldType type, String path, Value value, long least, long most) {
    if (!(value instanceof Scalar scalar) || Written.kind(scalar) != ScalarKind.INTEGER) {
      return expected(type, path, value, "write it as digits, without quotes or leading zeros");
    }
    try {
      long number = Long.parseLong(scalar.text());
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Beyond what a long holds, so beyond the bounds as well.
    }
    problems.error(
        value.place(),
        path,
        DoubleQuotes.quote(scalar.text())
            + " is out of range; write a number from "
            + least
            + " to "
            + most);
    return null;
  }

  private @Nullable Float fraction(FieldType type, String path, Value value) {
    if (Written.isA(value, ScalarKind.INTEGER) || Written.isA(value, ScalarKind.FRACTION)) {
      float number = Float.parseFloat(((Scalar) value).text());
      if (Float.isFinite(number)) {
        return number;
      }
    }
    return expected(type, path, value, "write it in digits, without quotes");
  }

  private @Nullable Duration duration(FieldType type, String path, Value value) {
    if (value instanceof Scalar scalar && Written.kind(scalar) == ScalarKind.TEXT) {
      Duration duration = GoDuration.parse(scalar.text()).orElse(null);
      if (duration != null) {
        return duration;
      }
    }
    return expected(type, path, value, "write numbers with units: h, m, s, ms, us or ns");
  }

  private @Nullable String quantity(FieldType type, String path, Value value) {
    if (value instanceof Scalar scalar
        && Written.kind(scalar) != ScalarKind.TRUTH
        && KubeQuantity.isOne(scalar.text())) {
      return scalar.text();
    }
    return expected(type, path, value, "write a number, with a suffix such as Ki or M");
  }

  private @Nullable List<String> texts(FieldType type, String path, Value value) {
    if (!(value instanceof Sequence sequence)) {
      return expected(type, path, value, "start each item with '- '");
    }
    List<String> texts = new ArrayList<>();
    for (Value item : sequence.items()) {
      String at = path + "[" + texts.size() + "]";
      problems.at(at, item.place());
      String text = text(FieldType.TEXT, at, item);
      texts.add(text == null ? "" : text);
    }
    return List.copyOf(texts);
  }

  private @Nullable Map<String, Boolean> gates(FieldType type, String path, Value value) {
    if (!(value instanceof Mapping mapping)) {
      return expected(type, path, value, "write 'Name: true' below it");
    }
    Map<String, Boolean> gates = new TreeMap<>();
    Map<String, FilePosition> seen = new HashMap<>();
    for (Entry entry : mapping.entries()) {
      String at = path + "." + entry.key().text();
      problems.duplicate(seen, entry.key(), at);
      problems.at(at, entry.key().place());
      Boolean on = truth(FieldType.TRUTH, at, entry.value());
      if (on != null) {
        gates.put(entry.key().text(), on);
      }
    }
    return Collections.unmodifiableMap(gates);
  }

  private @Nullable List<VmoduleItem> vmodule(FieldType type, String path, Value value) {
    if (!(value instanceof Sequence sequence)) {
      return expected(type, path, value, "start each item with '- '");
    }
    List<VmoduleItem> items = new ArrayList<>();
    for (Value item : sequence.items()) {
      items.add(vmoduleItem(type, path + "[" + items.size() + "]", item));
    }
    return List.copyOf(items);
  }

  private VmoduleItem vmoduleItem(FieldType type, String path, Value item) {
    problems.at(path, item.place());
    String pattern = "";
    long verbosity = 0;
    if (item instanceof Mapping mapping) {
      Map<String, FilePosition> seen = new HashMap<>();
      for (Entry entry : mapping.entries()) {
        String name = entry.key().text();
        String at = path + "." + name;
        problems.duplicate(seen, entry.key(), at);
        if (Written.isNull(entry.value())) {
          continue;
        }
        if (name.equals("filePattern")) {
          String text = text(FieldType.TEXT, at, entry.value());
          pattern = text == null ? "" : text;
        } else if (name.equals("verbosity")) {
          Long number = whole(FieldType.UINT32, at, entry.value(), 0, MOST_UINT32);
          verbosity = number == null ? 0 : number;
        } else {
          problems.unknown(entry.key(), at, "write filePattern and verbosity");
        }
      }
    } else {
      expected(type, path, item, "write 'filePattern: …' and 'verbosity: …'");
    }
    return new VmoduleItem(pattern, verbosity);
  }

  @SuppressWarnings("TypeParameterUnusedInFormals") // null is of every type
  private <T> @Nullable T expected(FieldType type, String path, Value value, String remedy) {
    problems.error(
        value.place(),
        path,
        "expected " + type.label() + ", found " + Written.describe(value) + "; " + remedy);
    return null;
  }
}
