package dev.portolan.bench.floor;

import dev.portolan.source.kube.wire.InputBuffer;
import dev.portolan.source.kube.wire.ProtobufFormat;
import dev.portolan.source.kube.wire.ReadTimeout;
import dev.portolan.source.kube.wire.Resource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * What a start cannot do without, in seconds, each the best of a few times.
 *
 * @param jvm an empty program, with the options and the cache of the daemon
 * @param reading both lists and the node, at the same time, over TLS, thrown away
 * @param plainReading the same bytes from memory, without TLS
 * @param decoding the same bytes, unpacked and made into objects that are thrown away, on two
 *     threads
 * @param megabytes how many those are
 */
public record StartFloor(
    double jvm, double reading, double plainReading, double decoding, double megabytes) {
  private static final int TIMES = 5;

  /** Measures; {@code program} is what starts the daemon. */
  public static StartFloor measure(BareClient client, List<String> program, String node)
      throws IOException, InterruptedException {
    List<Resource<?, ?>> resources =
        List.of(Resource.services(), Resource.slices(), Resource.nodes(Optional.of(node)));
    Map<String, byte[]> bodies = new LinkedHashMap<>();
    Map<Resource<?, ?>, byte[]> lists = new LinkedHashMap<>();
    for (Resource<?, ?> resource : resources) {
      String path = resource.path() + "?resourceVersion=0" + resource.selectors();
      byte[] body = client.body(path);
      bodies.put(path, body);
      lists.put(resource, body);
    }
    try (StoredAnswers stored = new StoredAnswers(bodies)) {
      return new StartFloor(
          best(() -> run(program)),
          best(() -> client.read(List.copyOf(bodies.keySet()))),
          best(stored::read),
          best(() -> decode(lists)),
          bodies.values().stream().mapToLong(body -> body.length).sum() / 1e6);
    }
  }

  /** What a start needs at least, where the kernel's part is {@code writing}. */
  public double seconds(double writing) {
    return jvm + reading + decoding + writing;
  }

  private interface Attempt {
    double seconds() throws IOException, InterruptedException;
  }

  private static double best(Attempt attempt) throws IOException, InterruptedException {
    double best = Double.MAX_VALUE;
    for (int i = 0; i < TIMES; i++) {
      best = Math.min(best, attempt.seconds());
    }
    return best;
  }

  private static double run(List<String> program) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(program);
    words.add("--version");
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", words) + " failed");
    }
    return (System.nanoTime() - start) / 1e9;
  }

  private static double decode(Map<Resource<?, ?>, byte[]> lists) throws InterruptedException {
    long start = System.nanoTime();
    List<Thread> threads = new ArrayList<>();
    lists.forEach(
        (resource, body) -> threads.add(Thread.ofPlatform().start(() -> decode(resource, body))));
    for (Thread thread : threads) {
      thread.join();
    }
    return (System.nanoTime() - start) / 1e9;
  }

  private static void decode(Resource<?, ?> resource, byte[] body) {
    ReadTimeout timeout = new ReadTimeout(System::nanoTime);
    timeout.allow(Duration.ofMinutes(1), Duration.ofMinutes(1));
    try {
      var _ =
          new ProtobufFormat()
              .list(resource, new InputBuffer(content(body), timeout), object -> {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The server packs long lists only. */
  private static InputStream content(byte[] body) throws IOException {
    InputStream in = new ByteArrayInputStream(body);
    boolean packed = body.length > 2 && body[0] == 0x1f && body[1] == (byte) 0x8b;
    return packed ? new GZIPInputStream(in) : in;
  }
}
