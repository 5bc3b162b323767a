package dev.portolan.doctor.bundle;

import dev.portolan.api.transport.Address;
import dev.portolan.api.v1.NodeStatus;
import dev.portolan.client.Connection;
import dev.portolan.client.ConnectionException;
import dev.portolan.client.RemoteNode;
import dev.portolan.client.Subscription;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.text.Json;
import dev.portolan.core.text.Tree;
import dev.portolan.doctor.Diagnosis;
import dev.portolan.doctor.KernelFiles;
import dev.portolan.doctor.LocalPage;
import dev.portolan.doctor.RunningDaemon;
import dev.portolan.doctor.Subject;
import dev.portolan.mode.Mode;
import dev.portolan.mode.ModeRules;
import dev.portolan.modes.KernelModes;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.terminal.Terminal;
import dev.portolan.tls.TlsException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** What a support case needs to know of a node, without a secret. */
public final class Bundle {
  private static final List<String> PAGES =
      List.of("/metrics", "/configz", "/proxyMode", "/statusz", "/flagz");
  private static final List<String> SYSCTLS =
      List.of(
          "net.ipv4.ip_forward",
          "net.ipv4.conf.all.route_localnet",
          "net.ipv4.conf.all.rp_filter",
          "net.ipv4.conf.default.rp_filter",
          "net.ipv6.conf.all.forwarding",
          "net.ipv6.conf.all.disable_ipv6",
          "net.bridge.bridge-nf-call-iptables",
          "net.bridge.bridge-nf-call-ip6tables",
          "net.netfilter.nf_conntrack_count",
          "net.netfilter.nf_conntrack_max",
          "net.netfilter.nf_conntrack_tcp_be_liberal",
          "net.netfilter.nf_conntrack_tcp_timeout_established",
          "net.netfilter.nf_conntrack_tcp_timeout_close_wait",
          "net.netfilter.nf_conntrack_udp_timeout",
          "net.netfilter.nf_conntrack_udp_timeout_stream");

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private final Subject subject;
  private final Redaction redaction;
  private final Map<String, String> files = new LinkedHashMap<>();
  private final List<String> leftOut = new ArrayList<>();

  private Bundle(Subject subject) {
    this.subject = subject;
    this.redaction = Redaction.of(subject.secrets());
  }

  /**
   * Collects everything.
   *
   * @param version the program's own, in lines
   */
  public static Bundle of(Subject subject, List<String> version) {
    Bundle bundle = new Bundle(subject);
    bundle.add("version.txt", String.join("\n", version) + "\n");
    bundle.diagnosis();
    bundle.add("configuration.yaml", subject.plan().asFile());
    bundle.daemon();
    bundle.state();
    for (Mode mode : KernelModes.here()) {
      bundle.tried("rules/" + mode.name() + ".txt", mode.rules(subject.settings())::dump);
    }
    bundle.tried("rules/other-chains.txt", new KernelDump(subject.namespace())::names);
    bundle.sysctls();
    bundle.leftOut.add("credentials: kubeconfig, tokens, keys, passwords, environment variables");
    bundle.leftOut.add("rules of other programs, beyond the names of their chains");
    return bundle;
  }

  /** The names of the files in the archive. */
  public List<String> files() {
    return List.copyOf(files.keySet());
  }

  /** What is not in it, and why. */
  public List<String> leftOut() {
    return leftOut;
  }

  /** The archive, in the format zip. */
  public byte[] archive() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, String> entry : files.entrySet()) {
        zip.putNextEntry(new ZipEntry("portolan/" + entry.getKey()));
        zip.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private void add(String name, String text) {
    files.put(name, redaction.clean(text));
  }

  private void tried(String name, Supplier<String> text) {
    try {
      add(name, text.get());
    } catch (NetlinkException | BackendException | UncheckedIOException e) {
      leftOut.add(name + ": " + redaction.clean(String.valueOf(e.getMessage())));
    }
  }

  private void diagnosis() {
    Diagnosis diagnosis = Diagnosis.of(subject);
    StringWriter text = new StringWriter();
    Terminal paper = Terminal.plain(new PrintWriter(text), new PrintWriter(text));
    paper.print(diagnosis.lines(paper));
    paper.finish();
    add("doctor.txt", text.toString());
    add("doctor.json", Json.pretty(diagnosis.tree()) + "\n");
  }

  private void daemon() {
    Optional<Long> pid = RunningDaemon.find(subject).pid();
    if (pid.isEmpty()) {
      leftOut.add("pages and log of the daemon: none listens on the ports of the configuration");
      return;
    }
    new KernelFiles(Optional.empty())
        .text("/proc/" + pid.get() + "/cmdline")
        .ifPresent(line -> add("daemon/command-line.txt", line.replace('\0', ' ') + "\n"));
    String health = subject.plan().configuration().healthzBindAddress();
    page(health, "/healthz");
    page(health, "/livez");
    PAGES.forEach(page -> page(subject.plan().configuration().metricsBindAddress(), page));
    Optional<String> log = DaemonLog.of(pid.get());
    log.ifPresent(text -> add("daemon/log.txt", text));
    if (log.isEmpty()) {
      leftOut.add(
          "the daemon's log: it is not in a file here; add it with 'kubectl logs' or 'journalctl'");
    }
  }

  private void page(String address, String page) {
    Optional<LocalPage> found = LocalPage.read(subject.namespace(), address, page);
    if (found.isPresent() && (found.get().status() == 200 || page.endsWith("z"))) {
      add("daemon" + page + ".txt", found.get().text());
    } else {
      leftOut.add("daemon" + page + ": not served on " + address);
    }
  }

  private void state() {
    if (!Files.exists(subject.socket())) {
      leftOut.add("the decided state: no daemon answers on " + subject.socket());
      return;
    }
    try (Connection connection =
        Connection.open(new Address.Unix(subject.socket()), Optional.empty())) {
      Optional<String> node =
          connection.nodes().getNodesList().stream()
              .map(NodeStatus::getNode)
              .filter(name -> !name.isEmpty())
              .findFirst();
      if (node.isPresent()) {
        Subscription wanted = Subscription.of(node.get()).clientName("portolan doctor");
        state(RemoteNode.read(connection, wanted, PATIENCE));
      }
    } catch (ConnectionException | TlsException e) {
      leftOut.add("the decided state: " + redaction.clean(String.valueOf(e.getMessage())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private record State(long revision, NodeFacts node, List<NodeService> services) {}

  private void state(NodeImage image) {
    List<NodeService> services = new ArrayList<>();
    image.services().forEach(services::add);
    State state = new State(image.revision(), image.facts(), services);
    add("state.json", Json.pretty(Tree.of(state)) + "\n");
    Mode mode = subject.mode(RunningDaemon.find(subject));
    ModeRules rules = mode.rules(subject.settings());
    add(
        "rules/decided." + mode.extension(),
        image.facts().families().stream()
            .map(family -> rules.text(image, family))
            .collect(Collectors.joining()));
  }

  private void sysctls() {
    KernelFiles kernel = new KernelFiles(subject.namespace());
    StringBuilder text = new StringBuilder();
    for (String name : SYSCTLS) {
      text.append(name)
          .append(" = ")
          .append(kernel.text("/proc/sys/" + name.replace('.', '/')).orElse("(not there)"))
          .append('\n');
    }
    add("sysctls.txt", text.toString());
  }
}
