package dev.portolan.text;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The documents of a text of YAML or JSON. */
public final class Documents {
  private Documents() {}

  /**
   * The documents in {@code content}, without those that are empty: of an answer, or of a file that
   * is ours, so they may hold any number of values.
   *
   * @param file names the text in messages
   */
  public static List<Value> read(String file, String content) {
    return read(file, content, Collected::new).documents;
  }

  /**
   * Hands the documents in {@code content} to a sink, which is returned. What begins like JSON and
   * is not may still be YAML in braces, and then is handed to another sink from the start.
   */
  public static <S extends DocumentSink> S read(String file, String content, Supplier<S> sinks) {
    String text = content.startsWith("\ufeff") ? content.substring(1) : content;
    if (!JsonReader.looksLike(text)) {
      return yaml(file, text, sinks.get());
    }
    try {
      S sink = sinks.get();
      JsonReader.read(text, new Tree(file, sink));
      return sink;
    } catch (TextException asJson) {
      try {
        return yaml(file, text, sinks.get());
      } catch (TextException asYaml) {
        throw file.endsWith(".json") ? asJson : asYaml;
      }
    }
  }

  /** The documents in {@code text}, which is JSON. */
  static List<Value> json(String file, String text) {
    Collected sink = new Collected();
    JsonReader.read(text, new Tree(file, sink));
    return sink.documents;
  }

  private static <S extends DocumentSink> S yaml(String file, String text, S sink) {
    YamlReader.read("a manifest", text, new Tree(file, sink));
    return sink;
  }

  /** Hands what is built to a sink. */
  private static final class Tree extends TreeBuilder {
    private final String file;
    private final DocumentSink sink;

    private Tree(String file, DocumentSink sink) {
      super(false);
      this.file = file;
      this.sink = sink;
    }

    @Override
    boolean item(Value item, Value list) {
      return sink.item(item, list);
    }

    @Override
    long mostValues() {
      return sink.mostValues();
    }

    @Override
    void document(Value document) {
      sink.document(document);
    }

    @Override
    void reached(int characters) {
      sink.reached(characters);
    }

    @Override
    RuntimeException wrong(int line, int column, String text) {
      return new TextException(sentence(file, line, column, text));
    }
  }

  /** Keeps everything. */
  private static final class Collected implements DocumentSink {
    private final List<Value> documents = new ArrayList<>();

    @Override
    public boolean item(Value item, Value list) {
      return false;
    }

    @Override
    public long mostValues() {
      return Long.MAX_VALUE;
    }

    @Override
    public void document(Value document) {
      documents.add(document);
    }
  }
}
