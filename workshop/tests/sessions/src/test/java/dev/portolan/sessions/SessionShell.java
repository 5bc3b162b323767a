package dev.portolan.sessions;

import dev.portolan.cli.CommandRun;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.sessions.Session.Command;
import dev.portolan.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs the commands of a session in a folder; those in the background end with it. */
final class SessionShell implements AutoCloseable {
  private static final String FOLDER = "$PWD";
  private static final String NAMESPACE = "$NETNS";
  private static final long PATIENCE = TimeUnit.MINUTES.toNanos(1);

  /** Where a session is written: a command that prints nothing for this long has finished. */
  private static final long SILENCE = TimeUnit.SECONDS.toNanos(3);

  private static final int STEP_MILLIS = 10;

  private final Path place;
  private final Session session;
  private final boolean write;
  private final @Nullable TestNamespace namespace;
  private final List<Job> jobs = new ArrayList<>();

  /** A shell in {@code place}; with {@code write}, it rewrites what commands print. */
  SessionShell(Path place, Session session, boolean write) {
    this.place = place;
    this.session = session;
    this.write = write;
    this.namespace = needsKernel(session) ? new TestNamespace() : null;
  }

  /** Whether a session has a network namespace of its own. */
  static boolean needsKernel(Session session) {
    return session.commands().stream().anyMatch(command -> command.line().contains(NAMESPACE));
  }

  /** What is new, and where it ends. */
  private record Printed(List<String> lines, int outEnd, int errEnd) {}

  /** A command at work, and what it has printed that was not read yet. */
  private final class Job {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final Thread thread;
    private volatile int status;
    private int outRead;
    private int errRead;

    Job(String[] words) {
      thread =
          Thread.ofPlatform()
              .daemon()
              .name("session")
              .start(() -> status = CommandRun.run(words, terminal(out, err)));
    }

    /** Waits until what was said is printed, and returns it, or what is there in its place. */
    List<String> await(List<String> said) throws InterruptedException {
      long start = System.nanoTime();
      long last = start;
      Printed printed = printed();
      while (!(Mask.matches(said, printed.lines()) && !(write && said.isEmpty()))
          && System.nanoTime() - start < PATIENCE
          && !(write && !printed.lines().isEmpty() && System.nanoTime() - last > SILENCE)) {
        TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
        Printed now = printed();
        last = now.equals(printed) ? last : System.nanoTime();
        printed = now;
      }
      outRead = printed.outEnd();
      errRead = printed.errEnd();
      return printed.lines();
    }

    private Printed printed() {
      String said = out.toString();
      String remarked = err.toString();
      List<String> lines = new ArrayList<>();
      add(said.substring(outRead), "", lines);
      add(remarked.substring(errRead), "! ", lines);
      return new Printed(lines, said.length(), remarked.length());
    }

    /** Interrupts it, as Ctrl-C does; returns what it still printed. */
    List<String> end() throws InterruptedException {
      thread.interrupt();
      thread.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE));
      List<String> lines = printed().lines();
      if (thread.isAlive()) {
        lines.add("it does not end");
      } else if (status != 0) {
        lines.add("exit " + status);
      }
      return lines;
    }
  }

  private Terminal terminal(StringWriter out, StringWriter err) {
    PrintWriter remarks = new PrintWriter(err, true);
    return session.columns().isPresent()
        ? Terminal.screen(new PrintWriter(out), remarks, session.columns().getAsInt())
        : Terminal.plain(new PrintWriter(out), remarks);
  }

  /** Runs a command; returns what it prints, as it was said where that matches. */
  List<String> run(Command command) throws IOException, InterruptedException {
    List<String> printed =
        switch (command.program()) {
          case "fg" -> job(command).await(command.said());
          case "kill" -> job(command).end();
          default -> command.background() ? start(command) : finish(command);
        };
    return Mask.keep(command.said(), printed);
  }

  /** The job that {@code %1} and the like name, or the last one. */
  private Job job(Command command) {
    return command.words().isEmpty()
        ? jobs.getLast()
        : jobs.get(Integer.parseInt(command.words().getFirst().substring(1)) - 1);
  }

  private List<String> start(Command command) throws InterruptedException {
    Job job = new Job(words(command));
    jobs.add(job);
    return job.await(command.said());
  }

  private List<String> finish(Command command) throws IOException, InterruptedException {
    InputStream keyboard = System.in;
    System.setIn(
        new ByteArrayInputStream(
            command.input() == null
                ? new byte[0]
                : Files.readAllBytes(place.resolve(command.input()))));
    try {
      Job job = new Job(words(command));
      job.thread.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE));
      if (command.output() != null) {
        Files.writeString(place.resolve(command.output()), job.out.toString());
        job.outRead = job.out.toString().length();
      }
      return job.end();
    } finally {
      System.setIn(keyboard);
    }
  }

  private String[] words(Command command) {
    return command.words().stream()
        .map(word -> word.replace(FOLDER, place.toString()))
        .map(word -> namespace == null ? word : word.replace(NAMESPACE, name(namespace)))
        .toArray(String[]::new);
  }

  private static String name(TestNamespace namespace) {
    return namespace.path().orElseThrow().getFileName().toString();
  }

  private void add(String printed, String mark, List<String> lines) {
    String named = printed.replace(place.toString(), FOLDER).replace('\u001b', '␛');
    String text = namespace == null ? named : named.replace(name(namespace), NAMESPACE);
    text.lines().forEach(line -> lines.add(mark + line));
    if (!text.isEmpty() && !text.endsWith("\n")) {
      lines.add("\\ no end of line");
    }
  }

  /**
   * Writes files, each in one step, as programs may look at them; one that is there is removed by
   * an empty one.
   */
  void write(Map<String, String> files) throws IOException {
    for (Map.Entry<String, String> file : files.entrySet()) {
      Path target = place.resolve(file.getKey());
      if (file.getValue().isEmpty() && Files.exists(target)) {
        Files.delete(target);
        continue;
      }
      Files.createDirectories(target.getParent());
      Path draft = Files.writeString(place.resolveSibling("draft"), file.getValue());
      Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  @Override
  public void close() {
    try {
      for (Job job : jobs) {
        List<String> _ = job.end();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (namespace != null) {
      namespace.close();
    }
  }
}
