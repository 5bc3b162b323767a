package dev.portolan.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** {@code portolan brain} at work over a copy of the example cluster. */
public final class ServedShop implements AutoCloseable {
  /** The copy. */
  public final Path folder;

  /** Where it is served. */
  public final Path socket;

  private Background brain;
  private final List<String> options;

  /** Serves at a socket in {@code folder}, which is empty. */
  public ServedShop(Path folder, String... options) throws Exception {
    this.folder = Files.createDirectory(folder.resolve("shop"));
    this.socket = folder.resolve("brain.sock");
    this.options = List.of(options);
    try (Stream<Path> files = Files.list(Shell.SHOP)) {
      for (Path file : files.toList()) {
        Files.copy(file, this.folder.resolve(file.getFileName()));
      }
    }
    brain = serve("file:" + this.folder, socket, this.options);
  }

  /** Starts the brain, which is stopped. */
  public void start() throws InterruptedException {
    brain = serve("file:" + folder, socket, options);
  }

  /** Starts a brain and waits until it knows its cluster. */
  public static Background serve(String source, Path socket, List<String> options)
      throws InterruptedException {
    List<String> line =
        new ArrayList<>(List.of("brain", "--from", source, "--listen", "unix://" + socket));
    line.addAll(options);
    Background brain = new Background(line.toArray(String[]::new));
    brain.await(brain.err, "synced: ");
    return brain;
  }

  /** Stops the brain; returns its exit status. */
  public int stop() throws InterruptedException {
    return brain.stop();
  }

  /** What the brain said. */
  public String log() {
    return brain.err.toString();
  }

  /** Waits until the brain has said {@code text}. */
  public void awaitLog(String text) throws InterruptedException {
    brain.await(brain.err, text);
  }

  /** The option that names the brain. */
  public String api() {
    return "--api=" + address();
  }

  /** Where the brain listens. */
  public String address() {
    return "unix://" + socket;
  }

  /** The port that the brain listens on too. */
  public int port() {
    Matcher found = Pattern.compile("tcp://127.0.0.1:(\\d+)").matcher(log());
    assertThat(found.find()).isTrue();
    return Integer.parseInt(found.group(1));
  }

  /** Waits until the brain shows {@code text} of the first node's services. */
  public void awaitShown(String text) {
    Await.text(text, () -> Shell.run("show", api(), "--node=worker-1").out());
  }

  /** Changes a manifest. */
  public void replace(String file, String old, String now) throws IOException {
    String text = Files.readString(folder.resolve(file));
    assertThat(text).contains(old);
    Files.writeString(folder.resolve(file), text.replace(old, now));
  }

  @Override
  public void close() {
    brain.close();
  }
}
