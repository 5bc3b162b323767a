package dev.portolan.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Links between documents lead somewhere, every page can be found, and the first one is short. */
final class LinksTest {
  private static final Path ROOT = Modules.ROOT;
  private static final Set<String> NOT_OURS = Set.of("target", "dist", ".git");
  private static final Pattern LINK =
      Pattern.compile("]\\(([^)\\s]+)\\)|(?:src|srcset|href)=\"(.*?)\"");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.*?) *$");
  private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```$");
  private static final int FEW_LINES = 150;

  @Test
  void everyLinkLeadsToAFileAndAHeading() throws IOException {
    assertThat(dead(ROOT)).isEmpty();
  }

  @Test
  void everyPageOfTheDocumentationIsInItsIndex() throws IOException {
    Path docs = ROOT.resolve("docs");
    Set<String> pages = new TreeSet<>();
    Set<String> reference = new TreeSet<>();
    for (Path page : documents(docs)) {
      String name = docs.relativize(page).toString();
      if (name.startsWith("reference/") && !name.endsWith("README.md")) {
        reference.add(name.substring("reference/".length()));
      } else {
        pages.add(name);
      }
    }
    pages.remove("README.md");
    assertThat(links(Files.readString(docs.resolve("README.md")))).containsAll(pages);
    assertThat(links(Files.readString(docs.resolve("reference/README.md")))).containsAll(reference);
  }

  @Test
  void theReadmeIsReadInOneGo() throws IOException {
    assertThat(Files.readAllLines(ROOT.resolve("README.md")).size()).isLessThan(FEW_LINES);
  }

  @Test
  void aLinkToNoFileOrNoHeadingIsFound(@TempDir Path folder) throws IOException {
    Files.writeString(
        folder.resolve("a.md"),
        """
        # One

        [good](b.md#two-and--a-half), [own](#one), [away](https://example.com/x), `[code](no.md)`,
        [no file](c.md), [no heading](b.md#three), <img src="no.svg">

            [an example](neither.md)

        ```
        [another](nor.md)
        ```
        """);
    Files.writeString(folder.resolve("b.md"), "## Two, and `a` half\n\n## Two and & a half!\n");
    assertThat(dead(folder)).containsExactly("a.md: c.md", "a.md: b.md#three", "a.md: no.svg");
  }

  private static List<String> dead(Path root) throws IOException {
    List<String> dead = new ArrayList<>();
    for (Path document : documents(root)) {
      for (String link : links(Files.readString(document))) {
        if (!leadsSomewhere(document, link)) {
          dead.add(root.relativize(document) + ": " + link);
        }
      }
    }
    return dead;
  }

  private static boolean leadsSomewhere(Path document, String link) throws IOException {
    if (link.matches("[a-z]+:.*")) {
      return true;
    }
    String[] parts = link.split("#", 2);
    Path target = parts[0].isEmpty() ? document : document.resolveSibling(parts[0]);
    if (!Files.exists(target)) {
      return false;
    }
    return parts.length == 1
        || !target.toString().endsWith(".md")
        || anchors(Files.readString(target)).contains(parts[1]);
  }

  /** What GitHub makes of the headings of a document. */
  private static Set<String> anchors(String document) {
    Set<String> anchors = new HashSet<>();
    Matcher heading = HEADING.matcher(FENCED.matcher(document).replaceAll(""));
    while (heading.find()) {
      String anchor =
          heading
              .group(1)
              .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N} _-]", "")
              .replace(' ', '-');
      int same = 0;
      String own = anchor;
      while (!anchors.add(own)) {
        own = anchor + "-" + ++same;
      }
    }
    return anchors;
  }

  /** The links of a document, those in examples of code aside. */
  private static List<String> links(String document) {
    List<String> links = new ArrayList<>();
    String text =
        FENCED
            .matcher(document)
            .replaceAll("")
            .replaceAll("(?m)^ {4}.*$", "")
            .replaceAll("`[^`\n]*`", "`");
    Matcher link = LINK.matcher(text);
    while (link.find()) {
      links.add(link.group(1) == null ? link.group(2) : link.group(1));
    }
    return links;
  }

  private static List<Path> documents(Path root) throws IOException {
    List<Path> documents = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return NOT_OURS.contains(folder.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".md")) {
              documents.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return documents;
  }
}
