package dev.portolan.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A Java file as the compiler makes it into a class, with everything on the tests' class path. */
final class Compiled {
  private Compiled() {}

  /** Compiles {@code source} into {@code target}; any warning is a failure. */
  static Class<?> of(Path source, Path target) throws IOException, ClassNotFoundException {
    String file = source.getFileName().toString();
    return of(source, target, file.substring(0, file.length() - ".java".length()));
  }

  /** The same for the class {@code name} in it. */
  static Class<?> of(Path source, Path target, String name)
      throws IOException, ClassNotFoundException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter remarks = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      boolean done =
          compiler
              .getTask(
                  remarks,
                  files,
                  null,
                  List.of("-d", target.toString(), "-Xlint:all,-classfile,-processing", "-Werror"),
                  null,
                  files.getJavaFileObjects(source))
              .call();
      assertThat(done).as(Files.readString(source) + "\n" + remarks).isTrue();
    }
    URLClassLoader loader = new URLClassLoader(new URL[] {target.toUri().toURL()});
    return loader.loadClass(name);
  }

  /** Runs the program as the launcher does. */
  static void main(Class<?> program, String... args) throws ReflectiveOperationException {
    Constructor<?> constructor = program.getDeclaredConstructor();
    constructor.setAccessible(true);
    Object instance = constructor.newInstance();
    for (Method method : program.getDeclaredMethods()) {
      if (method.getName().equals("main")) {
        method.setAccessible(true);
        Object[] none = {};
        method.invoke(instance, method.getParameterCount() == 0 ? none : new Object[] {args});
        return;
      }
    }
    throw new NoSuchMethodException("main");
  }
}
