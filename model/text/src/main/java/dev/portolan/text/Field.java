package dev.portolan.text;

import static dev.portolan.core.text.Quotes.quote;

import dev.portolan.text.Value.Mapping;
import dev.portolan.text.Value.Scalar;
import dev.portolan.text.Value.Sequence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One field of an object: where it is, what it holds, and the type that it is asked to have.
 *
 * <p>A field that is absent, or null, can be asked like any other; it has no fields, no items, and
 * the values that the caller gives as a default.
 */
public final class Field {
  private final String file;
  private final @Nullable Field parent;
  private final String step;
  private final @Nullable Value value;

  private Field(String file, @Nullable Field parent, String step, @Nullable Value value) {
    this.file = file;
    this.parent = parent;
    this.step = step;
    this.value = value;
  }

  /**
   * The only document in a text of YAML or JSON.
   *
   * @param file names the text in messages
   * @param kind what the document is where it does not say so itself
   */
  public static Field parse(String file, String kind, byte[] content) {
    List<Value> documents = Documents.read(file, FileText.decode(file, content));
    if (documents.size() != 1) {
      throw new TextException(
          Sentence.of(
              file,
              (documents.isEmpty() ? "is empty" : "holds " + documents.size() + " documents")
                  + ", but must contain exactly one "
                  + kind));
    }
    return object(file, kind, documents.getFirst());
  }

  /** The only value in a text of JSON; see {@link #object}. */
  public static Field json(String file, String kind, String text) {
    List<Value> documents = Documents.json(file, text);
    if (documents.size() != 1) {
      throw new TextException(Sentence.of(file, "is not one JSON object"));
    }
    return object(file, kind, documents.getFirst());
  }

  /** A whole object; {@code kind} is what it is where it does not say so itself. */
  public static Field object(String file, String kind, @Nullable Value value) {
    return new Field(file, null, kind, value);
  }

  /** The object in this field: paths inside of it start there. */
  public Field asObject(String kind) {
    return object(file, kind, value);
  }

  /** Whether there is something, and it is not null. */
  public boolean isPresent() {
    return value != null && ScalarType.of(value) != ScalarType.NULL;
  }

  /** Whether this is a mapping. */
  public boolean isMapping() {
    return value instanceof Mapping;
  }

  /** Whether this is a list. */
  public boolean isList() {
    return value instanceof Sequence;
  }

  /** The fields of a mapping by their keys, in the order of the document; none of anything else. */
  public Map<String, Field> fields() {
    Map<String, Field> fields = new LinkedHashMap<>();
    if (value instanceof Mapping mapping && !mapping.entries().isEmpty()) {
      checked();
      for (Value.Entry entry : mapping.entries()) {
        String key = entry.key().text();
        fields.put(key, new Field(file, this, key, entry.value()));
      }
    }
    return fields;
  }

  /** Whether this is text. */
  public boolean isText() {
    return value != null && ScalarType.of(value) == ScalarType.TEXT;
  }

  /** Whether this is a whole number. */
  public boolean isInteger() {
    return value != null && ScalarType.of(value) == ScalarType.INTEGER;
  }

  /**
   * What a person should know who begins a number with zeros; empty where this is nothing like it.
   */
  public Optional<String> octalNumber() {
    if (!ScalarType.isZeroPadded(value) || !(value instanceof Scalar scalar)) {
      return Optional.empty();
    }
    Integer number = ScalarType.toInt(scalar);
    return number == null
        ? Optional.empty()
        : Optional.of(
            finding(
                "digits after a zero are octal where they can be, as Kubernetes reads them, so "
                    + scalar.text()
                    + " is "
                    + number
                    + "; write "
                    + number));
  }

  /** The field {@code key} of this field. */
  public Field at(String key) {
    Mapping mapping = mapping();
    Value found = mapping == null ? null : mapping.get(key);
    return new Field(file, this, key, found);
  }

  /** Whether this field has the key {@code key}, with or without a value. */
  public boolean has(String key) {
    Mapping mapping = mapping();
    return mapping != null && mapping.get(key) != null;
  }

  /** The items of a list. */
  public List<Field> items() {
    if (!isPresent()) {
      return List.of();
    }
    if (!(checked() instanceof Sequence sequence)) {
      throw expected("a list", "start each item with '- '");
    }
    List<Field> items = new ArrayList<>(sequence.items().size());
    for (Value item : sequence.items()) {
      items.add(new Field(file, this, "[" + items.size() + "]", item));
    }
    return items;
  }

  /** The items of a list of texts. */
  public List<String> texts() {
    return items().stream().map(Field::text).toList();
  }

  /** The texts in a mapping by their keys; what is not text is left out. */
  public Map<String, String> textsByName() {
    Map<String, String> texts = new TreeMap<>();
    fields()
        .forEach((key, field) -> {
          if (field.isText()) {
            texts.put(key, field.text());
          }
        });
    return texts;
  }

  /** The text that must be here. */
  public String text() {
    if (!isPresent()) {
      throw missing();
    }
    if (checked() instanceof Scalar scalar && ScalarType.of(scalar) == ScalarType.TEXT) {
      return scalar.text();
    }
    throw expected("text", value instanceof Scalar ? "put it in quotes" : "write one value");
  }

  /** The text here, or {@code otherwise} where there is none. */
  public String text(String otherwise) {
    return isPresent() ? text() : otherwise;
  }

  /** The whole number that must be here. */
  public int number() {
    if (!isPresent()) {
      throw missing();
    }
    if (checked() instanceof Scalar scalar && ScalarType.of(scalar) == ScalarType.INTEGER) {
      Integer number = ScalarType.toInt(scalar);
      if (number != null) {
        return number;
      }
      throw wrong(
          quote(scalar.text())
              + " is out of range; write a number between "
              + Integer.MIN_VALUE
              + " and "
              + Integer.MAX_VALUE);
    }
    throw expected("an integer", "write it as digits, without quotes");
  }

  /** The whole number here, or {@code otherwise} where there is none. */
  public int number(int otherwise) {
    return isPresent() ? number() : otherwise;
  }

  /** The truth here, or null where there is none. */
  public @Nullable Boolean truth() {
    if (!isPresent()) {
      return null;
    }
    if (checked() instanceof Scalar scalar && ScalarType.of(scalar) == ScalarType.TRUTH) {
      return scalar.text().charAt(0) == 't' || scalar.text().charAt(0) == 'T';
    }
    throw expected("true or false", "write it without quotes");
  }

  /** What the word that must be here stands for. */
  public <E> E choice(SortedMap<String, E> words) {
    E chosen = words.get(text());
    if (chosen == null) {
      throw wrong(
          quote(text()) + " is not known; write one of " + String.join(", ", words.keySet()));
    }
    return chosen;
  }

  /** What the word here stands for, or {@code otherwise} where there is none. */
  public <E> E choice(SortedMap<String, E> words, E otherwise) {
    return isPresent() && !text().isEmpty() ? choice(words) : otherwise;
  }

  /** What is here as maps, lists, strings, numbers, booleans and nulls, or nothing. */
  public Optional<Object> tree() {
    return isPresent() && value != null
        ? Optional.ofNullable(JsonTree.of(value))
        : Optional.empty();
  }

  /** {@code file:line} of this field. */
  public String place() {
    return Sentence.place(file, where().line());
  }

  /** A sentence about this field. */
  public String finding(String text) {
    Value where = where();
    Field root = root();
    String object = Sentence.object(root.step, root.value);
    return Sentence.at(file, where.line(), where.column(), object, path(), text);
  }

  /** The exception to throw if this field is invalid. */
  public TextException wrong(String text) {
    return new TextException(finding(text));
  }

  /** What to throw where this field must be there and is not. */
  public TextException missing() {
    return wrong("missing, but required");
  }

  private @Nullable Mapping mapping() {
    if (!isPresent()) {
      return null;
    }
    if (checked() instanceof Mapping mapping) {
      return mapping;
    }
    throw expected("a mapping", "write 'key: value' below it");
  }

  /** The value, unless a tag changes its type. */
  private @Nullable Value checked() {
    if (value != null && value.tag() != null && !ScalarType.isKnownTag(value)) {
      throw wrong("the tag " + quote(value.tag()) + " is not known here; remove it");
    }
    return value;
  }

  private TextException expected(String what, String remedy) {
    return wrong("expected " + what + ", found " + found() + "; " + remedy);
  }

  private String found() {
    return switch (value) {
      case null -> "nothing";
      case Mapping mapping -> "a mapping";
      case Sequence sequence -> "a list";
      case Scalar scalar -> ScalarType.describe(scalar);
    };
  }

  private Field root() {
    Field root = this;
    while (root.parent != null) {
      root = root.parent;
    }
    return root;
  }

  /** The value itself, or the nearest around it where it is absent. */
  private Value where() {
    Field field = this;
    while (field.value == null && field.parent != null) {
      field = field.parent;
    }
    if (field.value == null) {
      throw new IllegalStateException("an object without a value");
    }
    return field.value;
  }

  private String path() {
    if (parent == null) {
      return "";
    }
    String before = parent.path();
    String shown = step.indexOf('.') >= 0 ? "[" + step + "]" : step;
    return before.isEmpty() || shown.startsWith("[") ? before + shown : before + "." + shown;
  }
}
