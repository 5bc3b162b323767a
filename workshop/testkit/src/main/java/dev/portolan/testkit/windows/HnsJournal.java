package dev.portolan.testkit.windows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What the Host Network Service of tests under Wine has and did, as the file that it keeps all of
 * it in: {@code backends/windows/src/test/c/hns.c} says what its lines mean. A test prepares a
 * state with lines of its own, has calls fail with others, and reads what the calls came to,
 * whichever process made them.
 */
public final class HnsJournal {
  private static final String VARIABLE = "PORTOLAN_HNS";

  private final Path file;
  private int mark;

  private HnsJournal(Path file) {
    this.file = file;
  }

  /** Whether there is such a service here. */
  static boolean isHere() {
    return System.getProperty("os.name").startsWith("Windows") && System.getenv(VARIABLE) != null;
  }

  /** Begins again: the service has nothing but what these lines say, and no call was made. */
  public static HnsJournal startWith(String... lines) {
    HnsJournal journal = new HnsJournal(Path.of(System.getenv(VARIABLE)));
    journal.write("hns " + UUID.randomUUID() + "\n", StandardOpenOption.TRUNCATE_EXISTING);
    journal.append(lines);
    journal.mark();
    return journal;
  }

  /** Adds lines: something that others made or deleted, or how calls fail from now on. */
  public void append(String... lines) {
    for (String line : lines) {
      write(line + "\n", StandardOpenOption.APPEND);
    }
  }

  /** From here on calls count in {@link #calls}. */
  public void mark() {
    mark = lines().size();
  }

  /**
   * The calls since the last mark that changed something or tried to, in their order, with their
   * status: {@code HcnCreateLoadBalancer 0x00000000 ID}.
   */
  public List<String> changes() {
    return calls().stream().filter(call -> call.matches("Hcn(Create|Modify|Delete).*")).toList();
  }

  /** All calls since the last mark, in their order, as {@code FUNCTION STATUS ID}. */
  public List<String> calls() {
    return lines().stream()
        .skip(mark)
        .filter(line -> line.startsWith("call "))
        .map(line -> line.substring("call ".length()))
        .toList();
  }

  /** The networks that there are, in JSON by id. */
  public Map<String, String> networks() {
    return objects("network");
  }

  /** The endpoints that there are, in JSON by id. */
  public Map<String, String> endpoints() {
    return objects("endpoint");
  }

  /** The load balancers that there are, in JSON by id. */
  public Map<String, String> loadBalancers() {
    return objects("loadbalancer");
  }

  private Map<String, String> objects(String kind) {
    Map<String, String> found = new LinkedHashMap<>();
    for (String line : lines()) {
      if (line.startsWith(kind + " ")) {
        String json = line.substring(kind.length() + 1);
        found.put(json.replaceFirst(".*\"ID\" *: *\"([^\"]*)\".*", "$1"), json);
      } else if (line.startsWith("delete " + kind + " ")) {
        found.remove(line.substring(("delete " + kind + " ").length()));
      }
    }
    return found;
  }

  /** The whole lines; another process may be writing one. */
  private List<String> lines() {
    try {
      String text = Files.readString(file);
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(String text, StandardOpenOption how) {
    try {
      Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.WRITE, how);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
