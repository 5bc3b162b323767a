package dev.portolan.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What authors of backends may rely on is listed in docs/writing-a-backend.md, whole, and leads to
 * nothing that is not.
 */
final class AuthorsApiTest {
  private static final Path ROOT = Modules.ROOT;
  private static final Path DOCUMENT = ROOT.resolve("docs/writing-a-backend.md");
  private static final String HOUSE = "dev.portolan.";

  /** Packages all of whose public types are listed. */
  private static final Set<String> WHOLE =
      Set.of(
          "core.net",
          "core.node",
          "core.backend",
          "core.collection",
          "core.error",
          "sync",
          "client",
          "conformance");

  /** Feed brains, and commands that follow an answer, not backends. */
  private static final Set<String> NOT_FOR_BACKENDS =
      Set.of("dev.portolan.client.RelaySource", "dev.portolan.client.Followed");

  /** Only handed on by authors: what these expose is not theirs to use. */
  private static final Set<String> OPAQUE =
      Set.of("dev.portolan.lab.Lab", "dev.portolan.lab.Namespace", "dev.portolan.tls.TlsFiles");

  /** Messages of the API, and gRPC itself: their own .proto files and versions describe them. */
  private static final List<String> WIRE =
      List.of("dev.portolan.api.v1.", "dev.portolan.api.localv1.", "io.grpc.");

  /** What programs use besides, to be a brain's process themselves, or to run another program. */
  private static final Set<String> IN_PROCESS =
      Set.of(
          "dev.portolan.brain.Brain",
          "dev.portolan.brain.NodeSettings",
          "dev.portolan.brain.NodeView",
          "dev.portolan.core.cluster.ClusterImage",
          "dev.portolan.source.file.Manifests",
          "dev.portolan.backend.exec.ExecBackend",
          "dev.portolan.backend.exec.ExecOptions");

  private static final Pattern HEADING = Pattern.compile("^### `([a-z.]+)`$");
  private static final Pattern ROW = Pattern.compile("^\\| (`.*?) \\|.*");
  private static final Pattern QUOTED = Pattern.compile("`(\\w+)`");
  private static final Pattern IMPORT = Pattern.compile("^import (dev\\.portolan\\.[\\w.]+);");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("dev.portolan");

  /** The types that the document lists. */
  private static Set<String> listed() throws IOException {
    Set<String> types = new TreeSet<>();
    String room = "";
    String document = Files.readString(DOCUMENT);
    for (String line :
        document.substring(document.indexOf("## What you may rely on")).lines().toList()) {
      Matcher heading = HEADING.matcher(line);
      Matcher row = ROW.matcher(line);
      if (heading.matches()) {
        room = heading.group(1);
      } else if (row.matches() && !room.isEmpty()) {
        Matcher type = QUOTED.matcher(row.group(1));
        while (type.find()) {
          types.add(HOUSE + room + "." + type.group(1));
        }
      }
    }
    return types;
  }

  @Test
  void everyPublicTypeIsListedAndEveryTypeListedExists() throws IOException {
    Set<String> open = new TreeSet<>();
    for (JavaClass type : CLASSES) {
      if (WHOLE.contains(type.getPackageName().replaceFirst("^dev\\.portolan\\.", ""))
          && isPublic(type)
          && type.isTopLevelClass()) {
        open.add(type.getName());
      }
    }
    open.removeAll(NOT_FOR_BACKENDS);
    Set<String> single = new TreeSet<>(listed());
    single.removeIf(type -> WHOLE.contains(room(type)));
    assertThat(single).allSatisfy(type -> assertThat(isPublic(CLASSES.get(type))).isTrue());
    open.addAll(single);
    assertThat(listed()).isEqualTo(open);
  }

  @Test
  void whatIsListedLeadsToNothingElse() throws IOException {
    Set<String> listed = listed();
    Set<String> leaks = new TreeSet<>();
    for (JavaClass type : CLASSES) {
      String outer = outermost(type.getName());
      if (listed.contains(outer) && !OPAQUE.contains(outer) && isPublic(type)) {
        exposed(
            type,
            other -> {
              String name = outermost(other.getBaseComponentType().getName());
              if (name.contains(".")
                  && !name.startsWith("java.")
                  && !name.startsWith("org.jspecify.")
                  && WIRE.stream().noneMatch(name::startsWith)
                  && !listed.contains(name)) {
                leaks.add(type.getName() + " exposes " + name);
              }
            });
      }
    }
    assertThat(leaks).isEmpty();
  }

  @Test
  void programsOfTheDocumentAndTheExamplesNeedNothingElse() throws IOException {
    Set<String> listed = listed();
    Set<String> others = new TreeSet<>();
    for (String line : programs().toList()) {
      Matcher matcher = IMPORT.matcher(line);
      if (matcher.find()
          && !listed.contains(matcher.group(1))
          && !IN_PROCESS.contains(matcher.group(1))) {
        others.add(matcher.group(1));
      }
    }
    assertThat(others).isEmpty();
  }

  private static Stream<String> programs() throws IOException {
    return Stream.of(
            DOCUMENT,
            ROOT.resolve("examples/print-state/PrintState.java"),
            ROOT.resolve("examples/userspace-proxy/UserspaceProxy.java"))
        .flatMap(file -> {
          try {
            return Files.readAllLines(file).stream();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** Hands over what the public signatures of a type, and what it extends, speak of. */
  private static void exposed(JavaClass type, Consumer<JavaClass> sink) {
    type.getSuperclass().ifPresent(above -> involved(above, sink));
    type.getInterfaces().forEach(above -> involved(above, sink));
    for (JavaField field : type.getFields()) {
      if (field.getModifiers().contains(JavaModifier.PUBLIC)) {
        involved(field.getType(), sink);
      }
    }
    for (JavaCodeUnit unit : type.getCodeUnits()) {
      if (unit.getModifiers().contains(JavaModifier.PUBLIC)) {
        involved(unit.getReturnType(), sink);
        unit.getParameterTypes().forEach(parameter -> involved(parameter, sink));
        unit.getThrowsClause().getTypes().forEach(sink);
      }
    }
  }

  private static void involved(JavaType type, Consumer<JavaClass> sink) {
    type.getAllInvolvedRawTypes().forEach(sink);
  }

  /** Whether a type and all around it are public. */
  private static boolean isPublic(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().map(AuthorsApiTest::isPublic).orElse(true);
  }

  private static String outermost(String type) {
    int nested = type.indexOf('$');
    return nested < 0 ? type : type.substring(0, nested);
  }

  private static String room(String type) {
    return type.substring(HOUSE.length(), type.lastIndexOf('.'));
  }
}
