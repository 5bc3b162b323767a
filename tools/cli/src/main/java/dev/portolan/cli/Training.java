package dev.portolan.cli;

import dev.portolan.terminal.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The entry point of the training run for the AOT cache, which is not part of the program. The JVM
 * accepts a cache only if it was trained with the program's own class path, so the training comes
 * from a jar outside of it.
 */
public final class Training {
  private Training() {}

  /** Takes the jar of the training, the class whose main method runs it, and its arguments. */
  public static void main(String[] args) throws IOException, ReflectiveOperationException {
    try (URLClassLoader jar = new URLClassLoader(new URL[] {Path.of(args[0]).toUri().toURL()})) {
      jar.loadClass(args[1])
          .getMethod("main", String[].class)
          .invoke(null, (Object) Arrays.copyOfRange(args, 2, args.length));
    }
  }

  /** Runs a command line and discards its output; returns the exit status. */
  public static int run(List<String> line) {
    Terminal.ofProcess();
    Terminal nowhere =
        Terminal.plain(
            new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter(), true));
    return Main.run(line.toArray(String[]::new), nowhere);
  }
}
