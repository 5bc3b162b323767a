package dev.portolan.demo;

import dev.portolan.backend.userspace.AccessEntry;
import dev.portolan.backend.userspace.Portals;
import dev.portolan.backend.userspace.UserspaceBackend;
import dev.portolan.backend.userspace.UserspaceOptions;
import dev.portolan.brain.BrainSettings;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.Threads;
import dev.portolan.core.net.Ip;
import dev.portolan.source.file.FileSource;
import dev.portolan.sync.Keeper;
import dev.portolan.terminal.Terminal;
import dev.portolan.wiring.NodeDaemon;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingDeque;

/**
 * The demo of the userspace backend: the pods are servers on localhost, and Portolan listens there
 * too. It needs no privileges, no namespaces and no Linux.
 */
public final class LoopbackDemo {
  private static final int TIMES = 30;
  private static final String NODE = "laptop";
  private static final String SLICES = "endpointslices.yaml";
  private static final String SERVICE = "shop/web:http";
  private static final Map<Ip, String> PODS =
      Map.of(
          Ip.of("10.244.1.11"),
          "pod-1",
          Ip.of("10.244.1.12"),
          "pod-2",
          Ip.of("10.244.1.13"),
          "pod-3");
  private static final String LAST_POD =
      "  - {addresses: [10.244.1.13], nodeName: laptop, targetRef:"
          + " {kind: Pod, namespace: shop, name: pod-3}}\n";

  private final Page page;
  private final boolean keep;
  private final List<String> said = new ArrayList<>();
  private final LinkedBlockingDeque<String> access = new LinkedBlockingDeque<>();

  /** Plays for {@code terminal}; {@code keep} leaves everything running until Ctrl-C. */
  public LoopbackDemo(Terminal terminal, boolean keep) {
    this.page = new Page(terminal);
    this.keep = keep;
  }

  /** Plays; returns the exit status, which is 0 only if every check held. */
  public int play() {
    page.line("Two services on this machine, without privileges: pods are servers on");
    page.line("localhost, and traffic to services passes through this process.");
    Diary diary = new Diary();
    InetSocketAddress web = InetSocketAddress.createUnresolved("", 0);
    try (ShopFolder folder = new ShopFolder("loopback/", List.of("services.yaml", SLICES));
        LoopbackPods pods = new LoopbackPods(PODS)) {
      Thread runner = null;
      try (NodeDaemon daemon = daemon(folder, pods, diary)) {
        runner = Threads.platform("portolan").start(daemon::run);
        diary.await(1);
        web = stage();
        spread(web);
        departure(folder, diary, web);
        refusal();
        log();
        if (keep) {
          encore(folder, web);
        }
      } finally {
        if (runner != null) {
          runner.interrupt();
          runner.join();
        }
      }
      page.heading("The end");
      String now = LoopbackClient.ask(web);
      page.check(
          now.contains("refused"), "Portolan has stopped, and " + text(web) + " says: " + now);
    } catch (InterruptedException e) {
      if (!keep) {
        page.gap();
        page.line("Interrupted.");
        return 130;
      }
    } catch (IOException | BackendException e) {
      page.check(false, String.valueOf(e.getMessage()));
    }
    page.gap();
    return page.verdict("");
  }

  private NodeDaemon daemon(ShopFolder folder, LoopbackPods pods, Diary diary) {
    UserspaceOptions options =
        UserspaceOptions.DEFAULT
            .with(Portals.LISTEN)
            .drain(Duration.ZERO)
            .reached(pods::place)
            .access(this::ended)
            .log(this::say);
    return new NodeDaemon(
        new FileSource(folder.path()),
        new NodeDaemon.Plan(
            NODE,
            BrainSettings.DEFAULT,
            NodeSettings.DEFAULT,
            new UserspaceBackend(options),
            Keeper.Options.DEFAULT),
        diary);
  }

  private void say(String line) {
    synchronized (said) {
      said.add(line);
    }
  }

  private void ended(AccessEntry entry) {
    access.add(entry.toString());
  }

  private InetSocketAddress stage() throws IOException {
    page.heading("The stage");
    List<String> lines;
    synchronized (said) {
      lines = List.copyOf(said);
    }
    page.lines(lines);
    page.gap();
    page.text("shop/web has three pods, and shop/payments has none.");
    String line =
        lines.stream()
            .filter(it -> it.startsWith(SERVICE))
            .findFirst()
            .orElseThrow(() -> new IOException(SERVICE + " is not served"));
    String place = line.substring(line.lastIndexOf(' ') + 1);
    int colon = place.lastIndexOf(':');
    return new InetSocketAddress(
        InetAddress.ofLiteral(place.substring(0, colon)),
        Integer.parseInt(place.substring(colon + 1)));
  }

  private void spread(InetSocketAddress web) {
    page.heading("One address, three pods");
    page.text(TIMES + " connections to " + text(web) + ", one after the other:");
    page.gap();
    Map<String, Integer> answers = ask(web);
    answers.forEach((who, count) -> page.text(who + "  " + "█".repeat(count) + " " + count));
    page.gap();
    page.check(
        answers.equals(Map.of("pod-1", TIMES / 3, "pod-2", TIMES / 3, "pod-3", TIMES / 3)),
        "the three pods take turns");
  }

  private static Map<String, Integer> ask(InetSocketAddress web) {
    Map<String, Integer> answers = new TreeMap<>();
    for (int i = 0; i < TIMES; i++) {
      answers.merge(LoopbackClient.ask(web), 1, Integer::sum);
    }
    return answers;
  }

  private void departure(ShopFolder folder, Diary diary, InetSocketAddress web)
      throws IOException, InterruptedException {
    page.heading("A pod goes away");
    List<LoopbackClient> open = new ArrayList<>();
    try {
      List<String> before = new ArrayList<>();
      for (int i = 0; i < PODS.size(); i++) {
        open.add(new LoopbackClient(web));
        before.add(open.getLast().ask());
      }
      page.text("Three connections are open, one to each pod. pod-3 leaves " + SLICES + ".");
      page.gap();
      long revision = diary.last().revision();
      folder.edit(SLICES, LAST_POD, "");
      diary.await(revision + 1);
      List<String> after = new ArrayList<>();
      for (LoopbackClient client : open) {
        after.add(client.ask());
      }
      page.check(
          before.equals(after) && after.contains("pod-3"),
          "the connections that were open stay where they are: " + String.join(", ", after));
      page.check(
          ask(web).keySet().equals(Set.of("pod-1", "pod-2")),
          "of " + TIMES + " new connections, pod-3 gets none");
    } finally {
      for (LoopbackClient client : open) {
        client.close();
      }
    }
  }

  private void refusal() throws IOException {
    page.heading("No endpoint");
    synchronized (said) {
      page.check(
          said.stream().noneMatch(line -> line.startsWith("shop/payments")),
          "nothing listens for shop/payments, so the system refuses its clients");
    }
  }

  private void log() throws InterruptedException {
    page.heading("Every connection leaves a line");
    int count = 2 * TIMES + PODS.size();
    long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (access.size() < count && System.nanoTime() < end) {
      Thread.sleep(10);
    }
    List.copyOf(access).reversed().stream().limit(3).forEach(page::text);
    page.gap();
    page.check(
        access.size() == count && access.stream().allMatch(line -> line.endsWith("end=closed")),
        "all " + count + " connections are logged, with their bytes; see --access-log of run");
  }

  private void encore(ShopFolder folder, InetSocketAddress web) throws InterruptedException {
    page.heading("Running until Ctrl-C");
    page.text("A pod answers each line with its name:");
    page.line("     echo | nc -N " + web.getAddress().getHostAddress() + " " + web.getPort());
    page.text("The manifests; every edit takes effect:");
    page.line("     ls " + folder.path());
    new CountDownLatch(1).await();
  }

  private static String text(InetSocketAddress address) {
    return address.getAddress().getHostAddress() + ":" + address.getPort();
  }
}
