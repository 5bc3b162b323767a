package dev.portolan.web.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/** The files of the page, which come with the program. */
final class PageFiles {
  private static final String INDEX = "index.html";

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml",
          "png", "image/png",
          "ico", "image/x-icon");

  /** No path leads out of the folder: parts begin with a letter or digit. */
  private static final Pattern PATH =
      Pattern.compile("([a-z0-9][a-z0-9._-]*/)*[a-z0-9][a-z0-9._-]*");

  private PageFiles() {}

  /** A file: its type, its content, and what a browser may compare it by. */
  static final class PageFile {
    private final String type;
    private final byte[] content;

    private PageFile(String type, byte[] content) {
      this.type = type;
      this.content = content;
    }

    String type() {
      return type;
    }

    byte[] content() {
      return content;
    }

    String tag() {
      CRC32 sum = new CRC32();
      sum.update(content);
      return "\"" + Long.toHexString(sum.getValue()) + "-" + content.length + "\"";
    }
  }

  /** The file at {@code path}, which begins with a slash; a view of the page is the page itself. */
  static Optional<PageFile> find(String path) {
    String name = path.substring(1);
    if (name.indexOf('.') < 0) {
      name = INDEX;
    }
    String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    if (type == null || !PATH.matcher(name).matches()) {
      return Optional.empty();
    }
    try (InputStream in = PageFiles.class.getResourceAsStream("/dev/portolan/web/page/" + name)) {
      if (in == null) {
        return Optional.empty();
      }
      return Optional.of(new PageFile(type, in.readAllBytes()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
