package dev.portolan.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The BOM says what the build says, and the sample project is one that works with it. */
final class BomTest {
  private static final Path BUILD = Path.of("pom.xml");
  private static final Path BOM = Path.of("workshop/bom/pom.xml");
  private static final Path SAMPLE = Path.of("examples/my-backend/pom.xml");

  /** Programs, and what is for our own tests. */
  private static final Set<String> NO_LIBRARIES =
      Set.of(
          "portolan-testbase",
          "portolan-testkit",
          "portolan-cli",
          "portolan-training",
          "portolan-chart");

  private static final Pattern PROPERTY = Pattern.compile("[$][{](.*)[}]");

  @Test
  void itListsEveryLibraryOfOurs() throws Exception {
    Map<String, String> build = managed(BUILD);
    Set<String> libraries = new TreeSet<>();
    for (String name : build.keySet()) {
      if (name.startsWith("dev.portolan:")) {
        libraries.add(name);
      }
    }
    NO_LIBRARIES.forEach(name -> assertThat(libraries.remove("dev.portolan:" + name)).isTrue());
    assertThat(managed(BOM).keySet()).containsAll(libraries);
    assertThat(managed(BOM).keySet().stream().filter(name -> name.startsWith("dev.portolan:")))
        .containsExactlyInAnyOrderElementsOf(libraries);
  }

  @Test
  void itHasTheVersionsOfTheBuild() throws Exception {
    Map<String, String> build = managed(BUILD);
    assertThat(managed(BOM))
        .containsKeys("io.netty:netty-bom", "io.grpc:grpc-bom", "com.google.guava:guava")
        .allSatisfy((name, version) -> assertThat(version).as(name).isEqualTo(build.get(name)));
  }

  @Test
  void theVersionStandsInOnePlace() throws Exception {
    List<Element> modules = elements(parse(BUILD).getElementsByTagName("module"));
    assertThat(modules).isNotEmpty();
    for (Element module : modules) {
      Path pom = Path.of(module.getTextContent(), "pom.xml");
      Element parent = (Element) parse(pom).getElementsByTagName("parent").item(0);
      assertThat(text(parent, "version")).as(pom.toString()).isEqualTo("${revision}");
    }
  }

  @Test
  void theSampleImportsItAndCompilesAsTheBuildDoes() throws Exception {
    Map<String, String> sample = managed(SAMPLE);
    assertThat(sample)
        .isEqualTo(Map.of("dev.portolan:portolan-bom", property(parse(BUILD), "revision")));
    assertThat(plugins(SAMPLE)).isNotEmpty();
    assertThat(plugins(BUILD)).containsAllEntriesOf(plugins(SAMPLE));
    assertThat(property(parse(SAMPLE), "maven.compiler.release"))
        .isEqualTo(property(parse(BUILD), "maven.compiler.release"));
  }

  @Test
  void theSampleCompiles(@TempDir Path folder) throws Exception {
    Path source = SAMPLE.resolveSibling("src/main/java/example/MyBackend.java");
    Path copy = Files.copy(source, folder.resolve("MyBackend.java"));
    Class<?> program =
        Compiled.of(copy, Files.createDirectory(folder.resolve("classes")), "example.MyBackend");
    assertThat(program.getMethod("main", String[].class)).isNotNull();
  }

  /** What {@code pom} manages, and in which version. */
  private static Map<String, String> managed(Path pom) throws Exception {
    Document document = parse(pom);
    Map<String, String> managed = new TreeMap<>();
    Element management = (Element) document.getElementsByTagName("dependencyManagement").item(0);
    for (Element dependency : elements(management.getElementsByTagName("dependency"))) {
      if (!text(dependency, "type").equals("test-jar")) {
        managed.put(
            text(dependency, "groupId") + ":" + text(dependency, "artifactId"),
            resolved(document, text(dependency, "version")));
      }
    }
    return managed;
  }

  private static Map<String, String> plugins(Path pom) throws Exception {
    Map<String, String> plugins = new TreeMap<>();
    for (Element plugin : elements(parse(pom).getElementsByTagName("plugin"))) {
      String version = text(plugin, "version");
      if (!version.isEmpty()) {
        plugins.put(text(plugin, "artifactId"), version);
      }
    }
    return plugins;
  }

  private static Document parse(Path pom) throws Exception {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
  }

  private static String resolved(Document pom, String version) {
    Matcher property = PROPERTY.matcher(version);
    if (!property.matches() || version.equals("${project.version}")) {
      return version;
    }
    return property(pom, property.group(1));
  }

  private static String property(Document pom, String name) {
    return text((Element) pom.getElementsByTagName("properties").item(0), name);
  }

  /** The text of the child called {@code name}; empty where there is none. */
  private static String text(Element parent, String name) {
    for (Element child : elements(parent.getChildNodes())) {
      if (child.getTagName().equals(name)) {
        return child.getTextContent().strip();
      }
    }
    return "";
  }

  private static List<Element> elements(NodeList nodes) {
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      if (nodes.item(i) instanceof Element element) {
        elements.add(element);
      }
    }
    return elements;
  }
}
