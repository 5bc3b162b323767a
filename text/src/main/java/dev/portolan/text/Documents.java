package dev.portolan.text;

import java.util.List;

/** The documents of a text of YAML or JSON. */
public final class Documents {
  private Documents() {}

  /**
   * The documents in {@code content}, without those that are empty. What begins like JSON and is
   * not may still be YAML in braces.
   *
   * @param file names the text in messages
   */
  public static List<Value> read(String file, String content) {
    String text = content.startsWith("\ufeff") ? content.substring(1) : content;
    if (!JsonReader.looksLike(text)) {
      return yaml(file, text);
    }
    try {
      return JsonReader.read(file, text);
    } catch (TextException asJson) {
      try {
        return yaml(file, text);
      } catch (TextException asYaml) {
        throw file.endsWith(".json") ? asJson : asYaml;
      }
    }
  }

  /** The documents in {@code text}, which is JSON. */
  public static List<Value> json(String file, String text) {
    return JsonReader.read(file, text);
  }

  private static List<Value> yaml(String file, String text) {
    TreeBuilder tree = new TreeBuilder(file);
    YamlReader.read("a manifest", text, tree);
    return tree.documents();
  }
}
