package dev.portolan.netlink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.NeedsKernel;
import dev.portolan.testbase.OwnJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Who has the lock of a network namespace, and who gets it next. */
@NeedsKernel(tools = {"ip", "python3", "setpriv", "unshare"})
final class NamespaceLockTest {
  private static final Path PYTHON = Path.of("/usr/bin/python3");
  private static final long OWN_PID = ProcessHandle.current().pid();

  @AutoClose private final TestNamespace place = new TestNamespace();
  @AutoClose private final TestNamespace elsewhere = new TestNamespace();

  @Test
  void oneAtATimeHasIt() {
    assertThat(NamespaceLock.holder("nftables", place.path())).isEmpty();
    try (NamespaceLock _ = take("nftables", place)) {
      assertThat(NamespaceLock.take("nftables", place.path(), "portolan test")).isEmpty();
      assertThat(NamespaceLock.holder("nftables", place.path()))
          .hasValueSatisfying(holder -> {
            assertThat(holder.pid()).isEqualTo(OWN_PID);
            assertThat(holder).hasToString("portolan run (pid " + OWN_PID + ")");
          });
    }
    assertThat(NamespaceLock.holder("nftables", place.path())).isEmpty();
    take("nftables", place).close();
  }

  @Test
  void anotherNamespaceAndAnotherNameHaveLocksOfTheirOwn() {
    try (NamespaceLock _ = take("nftables", place);
        NamespaceLock _ = take("iptables", place);
        NamespaceLock _ = take("nftables", elsewhere)) {
      assertThat(NamespaceLock.holder("ipvs", place.path())).isEmpty();
    }
  }

  @Test
  void whoWaitsIsToldForWhomAndGetsItNext() throws Exception {
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    NamespaceLock first = take("nftables", place);
    Thread waiting =
        Thread.ofPlatform()
            .start(() -> {
              try (NamespaceLock _ =
                  NamespaceLock.await(
                      "nftables",
                      place.path(),
                      "portolan kube-proxy",
                      holder -> events.add("waiting for " + holder))) {
                events.add("mine");
              } catch (InterruptedException e) {
                events.add("interrupted");
              }
            });
    assertThat(Await.next(events)).isEqualTo("waiting for portolan run (pid " + OWN_PID + ")");
    assertThat(waiting.isAlive()).isTrue();
    assertThat(events).isEmpty();
    first.close();
    assertThat(Await.next(events)).isEqualTo("mine");
    waiting.join();
  }

  @Test
  void aWaitCanBeInterrupted() throws Exception {
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    try (NamespaceLock _ = take("nftables", place)) {
      Thread waiting =
          Thread.ofPlatform()
              .start(() -> {
                try (NamespaceLock _ =
                    NamespaceLock.await(
                        "nftables", place.path(), "second", holder -> events.add("waiting"))) {
                  events.add("mine");
                } catch (InterruptedException e) {
                  events.add("interrupted");
                }
              });
      assertThat(Await.next(events)).isEqualTo("waiting");
      waiting.interrupt();
      assertThat(Await.next(events)).isEqualTo("interrupted");
    }
  }

  @Test
  void aKilledProcessHasItNoLonger() throws Exception {
    Process other = holder(List.of());
    assertThat(NamespaceLock.take("nftables", place.path(), "portolan test")).isEmpty();
    assertThat(NamespaceLock.holder("nftables", place.path()))
        .hasValueSatisfying(holder ->
            assertThat(holder.toString()).contains("python3", "(pid " + other.pid() + ")"));
    other.destroyForcibly().waitFor();
    take("nftables", place).close();
  }

  /** Its number is another one there; what it is called still helps. */
  @Test
  void aProcessInAnotherPidNamespaceSaysItself() throws Exception {
    Process other = holder(List.of("unshare", "--fork", "--pid", "--kill-child", "--mount-proc"));
    // Seen from the parent's pid namespace it has a number; from its own, another one.
    assertThat(NamespaceLock.holder("nftables", place.path())).isPresent();
    List<String> words = new ArrayList<>(List.of("unshare", "--fork", "--pid", "--mount-proc"));
    words.addAll(OwnJvm.words(List.of("--enable-native-access=ALL-UNNAMED"), AskForHolder.class));
    String seen = place.run(words.toArray(String[]::new));
    assertThat(seen).contains("portolan run (pid 7 in another container, host name node-1)");
    other.destroyForcibly().waitFor();
  }

  /** Prints who has the lock in the network namespace of its process. */
  static final class AskForHolder {
    private AskForHolder() {}

    /** Asks. */
    public static void main(String[] args) {
      System.out.println(NamespaceLock.holder("nftables", Optional.empty()));
    }
  }

  @Test
  void whoMayNotChangeRulesCannotKeepTheLockFromOneWhoMay() throws Exception {
    Process other =
        holder(
            List.of(
                "setpriv",
                "--reuid=65534",
                "--regid=65534",
                "--clear-groups",
                "--inh-caps=-all",
                "--bounding-set=-all"));
    assertThat(NamespaceLock.holder("nftables", place.path())).isEmpty();
    take("nftables", place).close();
    other.destroyForcibly().waitFor();
  }

  private static NamespaceLock take(String name, TestNamespace where) {
    return NamespaceLock.take(name, where.path(), "portolan run").orElseThrow();
  }

  /** A process with the lock, behind {@code words}; returns when it has it. */
  private Process holder(List<String> words) throws Exception {
    List<String> line = new ArrayList<>();
    line.addAll(List.of("nsenter", "--net=" + place.namespace().path()));
    line.addAll(words);
    line.addAll(
        List.of(
            // One that every user may run.
            Files.isExecutable(PYTHON) ? PYTHON.toString() : "python3",
            "-c",
            """
            import socket, time
            lock = socket.socket(socket.AF_UNIX)
            lock.bind("\\0portolan-lock/nftables")
            lock.listen(8)
            sign = socket.socket(socket.AF_UNIX)
            """
                + (words.contains("unshare")
                    ? "sign.bind('\\0portolan-lock/nftables/7 node-1 portolan run')\n"
                    : "")
                + """
                print("ready", flush=True)
                time.sleep(600)
                """));
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    assertThat(process.inputReader().readLine()).isEqualTo("ready");
    return process;
  }
}
