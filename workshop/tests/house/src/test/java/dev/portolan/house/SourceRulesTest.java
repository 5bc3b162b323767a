package dev.portolan.house;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TypeParameterTree;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Rules of CONTRIBUTING.md that show in the main sources of all modules, shipped or not. */
final class SourceRulesTest {
  private static final Path ROOT = Modules.ROOT;
  private static final Pattern MODULE = Pattern.compile("<module>(.*?)</module>");

  private static final int MOST_CLASSES = 30;

  /**
   * The packages, with those inside of them, whose public methods declare checked exceptions, and
   * which ones: those whose callers go on after a failure; the build's own programs and what tests
   * use, which stop at one.
   */
  private static final Map<String, Set<String>> CHECKED =
      Map.of(
          "dev.portolan.api", Set.of("WireException"),
          "dev.portolan.apiserver", Set.of("ApiException"),
          "dev.portolan.client", Set.of("ConnectionException", "TlsException", "WireException"),
          "dev.portolan.source.kube", Set.of("IOException", "DecodeException"),
          "dev.portolan.tls",
              Set.of(
                  "TlsException",
                  "GeneralSecurityException",
                  "CertificateException",
                  "InvalidKeyException"),
          "dev.portolan.bench", Set.of("IOException"),
          "dev.portolan.packaging", Set.of("IOException"),
          "dev.portolan.sessions", Set.of("Exception", "IOException"),
          "dev.portolan.testbase", Set.of("Exception"),
          "dev.portolan.training", Set.of("IOException"));

  private static final Map<String, List<Path>> SOURCES = new TreeMap<>();

  @BeforeAll
  static void find() throws IOException {
    Matcher modules = MODULE.matcher(Files.readString(ROOT.resolve("pom.xml")));
    while (modules.find()) {
      Path folder = ROOT.resolve(modules.group(1)).resolve("src/main/java");
      if (Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.walk(folder)) {
          SOURCES.put(
              modules.group(1),
              files.filter(file -> file.toString().endsWith(".java")).sorted().toList());
        }
      }
    }
    assertThat(SOURCES).hasSizeGreaterThan(30);
  }

  @Test
  void aPackageFitsInAHead() {
    Map<Path, Long> sizes =
        SOURCES.values().stream()
            .flatMap(List::stream)
            .filter(file -> !file.endsWith("package-info.java"))
            .collect(groupingBy(Path::getParent, counting()));
    sizes.values().removeIf(classes -> classes <= MOST_CLASSES);
    assertThat(sizes).as("packages with more than %d classes".formatted(MOST_CLASSES)).isEmpty();
  }

  @Test
  void everyClassHasItsOwnName() {
    Map<String, Long> names =
        SOURCES.values().stream()
            .flatMap(List::stream)
            .map(file -> file.getFileName().toString())
            .filter(name -> !name.equals("package-info.java"))
            .collect(groupingBy(name -> name, counting()));
    names.values().removeIf(times -> times == 1);
    assertThat(names).isEmpty();
  }

  @Test
  void onlyThePackagesOfTheListHaveCheckedExceptions() throws IOException {
    List<String> wrong = new ArrayList<>();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      for (List<Path> module : SOURCES.values()) {
        JavacTask task =
            (JavacTask)
                compiler.getTask(
                    null, files, null, null, null, files.getJavaFileObjectsFromPaths(module));
        for (CompilationUnitTree unit : task.parse()) {
          for (Tree type : unit.getTypeDecls()) {
            if (type instanceof ClassTree top && isPublic(top.getModifiers())) {
              check(unit.getPackageName().toString(), top, wrong);
            }
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static void check(String room, ClassTree type, List<String> wrong) {
    Tree parent = type.getExtendsClause();
    if (parent != null && parent.toString().endsWith("Exception")) {
      boolean isChecked = !parent.toString().equals("RuntimeException");
      if (isChecked == allowed(room).isEmpty()) {
        wrong.add(room + ": " + type.getSimpleName() + " extends " + parent);
      }
    }
    boolean isInterface = type.getKind() == Tree.Kind.INTERFACE;
    for (Tree member : type.getMembers()) {
      if (member instanceof ClassTree inner && (isInterface || isPublic(inner.getModifiers()))) {
        check(room, inner, wrong);
      } else if (member instanceof MethodTree method
          && (isInterface || isPublic(method.getModifiers()))) {
        check(room, type, method, wrong);
      }
    }
  }

  private static Set<String> allowed(String room) {
    return CHECKED.keySet().stream()
        .filter(allowed -> (room + ".").startsWith(allowed + "."))
        .findFirst()
        .map(CHECKED::get)
        .orElse(Set.of());
  }

  private static void check(String room, ClassTree type, MethodTree method, List<String> wrong) {
    Set<String> allowed = allowed(room);
    for (ExpressionTree thrown : method.getThrows()) {
      String name = thrown.toString();
      // How a thread is stopped; what a visitor brings along; what the JDK's own method declares.
      boolean isFree =
          name.equals("InterruptedException")
              || Stream.of(type.getTypeParameters(), method.getTypeParameters())
                  .flatMap(List::stream)
                  .map(TypeParameterTree::getName)
                  .anyMatch(name::contentEquals)
              || method.getModifiers().getAnnotations().stream()
                  .anyMatch(
                      annotation -> annotation.getAnnotationType().toString().equals("Override"));
      boolean isProgram = method.getName().contentEquals("main");
      if (!isFree && !isProgram && !allowed.contains(name)) {
        wrong.add(
            "%s: %s.%s throws %s".formatted(room, type.getSimpleName(), method.getName(), name));
      }
    }
  }

  private static boolean isPublic(ModifiersTree modifiers) {
    return modifiers.getFlags().contains(Modifier.PUBLIC);
  }
}
