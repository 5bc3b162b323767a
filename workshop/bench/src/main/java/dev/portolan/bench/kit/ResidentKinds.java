package dev.portolan.bench.kit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What of a process is resident, by kind, in megabytes.
 *
 * @param shared of files, and as it is in them, so that processes of the same program share it
 * @param heap Java objects, and room for more; zero for what is not a JVM
 * @param classes the class cache, as far as it was written to
 * @param code what was compiled
 * @param rest threads, buffers, what malloc keeps
 */
public record ResidentKinds(double shared, double heap, double classes, double code, double rest) {
  private static final Pattern MAPPING =
      Pattern.compile("([0-9a-f]+)-([0-9a-f]+) (\\S+) \\S+ \\S+ \\d+\\s*(.*)");
  private static final Pattern SIZE = Pattern.compile("(Rss|Anonymous): +(\\d+) kB");
  private static final Pattern SPACE =
      Pattern.compile("\\[0x([0-9a-f]+), 0x[0-9a-f]+, 0x([0-9a-f]+)\\)");

  /** Looks at a running process. */
  public static ResidentKinds of(ProcessFigures process) throws IOException {
    List<long[]> spaces = spaces(process.pid());
    double[] kinds = new double[5];
    int kind = 0;
    boolean isFile = false;
    double resident = 0;
    for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/smaps"))) {
      Matcher mapping = MAPPING.matcher(line);
      Matcher size = SIZE.matcher(line);
      if (mapping.matches()) {
        long start = Long.parseUnsignedLong(mapping.group(1), 16);
        String file = mapping.group(4);
        isFile = file.startsWith("/");
        kind =
            spaces.stream().anyMatch(it -> it[0] <= start && start < it[1])
                ? 1
                : file.endsWith(".aot") ? 2 : !isFile && mapping.group(3).contains("x") ? 3 : 4;
      } else if (size.matches()) {
        double megabytes = Double.parseDouble(size.group(2)) * 1024 / 1e6;
        if (size.group(1).equals("Rss")) {
          resident = megabytes;
        } else {
          double own = isFile ? megabytes : resident;
          kinds[kind] += own;
          kinds[0] += resident - own;
        }
      }
    }
    return new ResidentKinds(kinds[0], kinds[1], kinds[2], kinds[3], kinds[4]);
  }

  /** All that no other process has a part in. */
  public double own() {
    return heap + classes + code + rest;
  }

  /** The address ranges of the heap; none if the process is not a JVM. */
  private static List<long[]> spaces(long pid) throws IOException {
    List<long[]> spaces = new ArrayList<>();
    if (!Files.readSymbolicLink(Path.of("/proc/" + pid + "/exe")).endsWith("java")) {
      return spaces;
    }
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Matcher space =
        SPACE.matcher(BenchNamespace.run(List.of(jcmd, Long.toString(pid), "GC.heap_info"), ""));
    while (space.find()) {
      spaces.add(
          new long[] {
            Long.parseUnsignedLong(space.group(1), 16), Long.parseUnsignedLong(space.group(2), 16)
          });
    }
    return spaces;
  }
}
