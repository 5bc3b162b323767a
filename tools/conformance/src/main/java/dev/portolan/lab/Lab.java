package dev.portolan.lab;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A network in namespaces of this machine, after the plan in {@link Actor}. Packets stay inside:
 * nothing connects it to the root namespace, which is not changed in any way.
 *
 * <p>Every pod serves TCP, UDP and SCTP on {@link #PORTS}, and answers with its name and the
 * client's address as it saw it.
 */
public final class Lab implements AutoCloseable {
  /** The ports that every pod serves. */
  public static final List<Integer> PORTS = List.of(8080, 9090);

  private final Map<String, Namespace> namespaces;
  private final Map<String, AtomicInteger> ports = new LinkedHashMap<>();
  private final Servers servers;
  private final Duration setupTime;

  private Lab(Map<String, Namespace> namespaces, Servers servers, Duration setupTime) {
    this.namespaces = namespaces;
    this.servers = servers;
    this.setupTime = setupTime;
    namespaces.keySet().forEach(home -> ports.put(home, new AtomicInteger()));
  }

  /** Why no lab can be built on this machine; empty where one can. */
  public static Optional<String> obstacle() {
    if (!System.getProperty("os.name", "").equals("Linux")) {
      return Optional.of("the lab needs Linux: it is made of network namespaces");
    }
    if (!Command.exists("ip")) {
      return Optional.of("the lab needs the program ip: install the package iproute2");
    }
    return isRoot()
        ? Optional.empty()
        : Optional.of("the lab needs root, to make network namespaces: run the tests as root");
  }

  private static boolean isRoot() {
    try {
      return Files.getAttribute(Path.of("/proc/self"), "unix:uid") instanceof Integer uid
          && uid == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Builds a lab, and removes what killed runs left behind. */
  public static Lab open() {
    obstacle()
        .ifPresent(why -> {
          throw new LabException(why);
        });
    LabNames.remove();
    long start = System.nanoTime();
    String prefix = LabNames.newPrefix();
    Map<String, Namespace> namespaces = new LinkedHashMap<>();
    for (Actor actor : Actor.values()) {
      namespaces.computeIfAbsent(actor.home(), home -> new Namespace(prefix + home));
    }
    try {
      build(namespaces);
      Servers servers = new Servers();
      Lab lab =
          new Lab(
              Collections.unmodifiableMap(namespaces),
              servers,
              Duration.ofNanos(System.nanoTime() - start));
      lab.servePods();
      return lab;
    } catch (IOException e) {
      remove(namespaces);
      throw new LabException("the lab could not be built: " + e.getMessage(), e);
    } catch (RuntimeException e) {
      remove(namespaces);
      throw e;
    }
  }

  private static void build(Map<String, Namespace> namespaces) {
    StringBuilder births = new StringBuilder();
    namespaces.values().forEach(it -> births.append("netns add ").append(it).append('\n'));
    Command.run(List.of("ip", "-batch", "-"), births.toString());
    namespaces.forEach((home, namespace) -> {
      boolean forwards = home.equals(Actor.NODE.home()) || home.equals(Actor.OTHER_NODE.home());
      Sysctls.write(namespace, forwards);
    });
    Wiring wiring = new Wiring(namespaces);
    Command.run(List.of("ip", "-batch", "-"), wiring.cables());
    wiring
        .batches()
        .forEach((namespace, batch) ->
            Command.run(
                List.of("ip", "-netns", namespace.name(), "-batch", "-"), batch.toString()));
  }

  private void servePods() {
    for (Actor pod : Actor.PODS) {
      for (int port : PORTS) {
        for (IpFamily family : IpFamily.values()) {
          for (Protocol protocol : Protocol.values()) {
            listen(pod, protocol, pod.address(family), port);
          }
        }
      }
    }
  }

  /** How long it took to build the network. */
  public Duration setupTime() {
    return setupTime;
  }

  /** The namespace in which {@code actor} lives. */
  public Namespace at(Actor actor) {
    Namespace namespace = namespaces.get(actor.home());
    if (namespace == null) {
      throw new IllegalStateException("no namespace " + actor.home());
    }
    return namespace;
  }

  /** The namespace of the node under test. */
  public Namespace node() {
    return at(Actor.NODE);
  }

  /**
   * Lets every thread that goes into the node under test or one of its pods begin with {@code
   * first}: into a cgroup, for example.
   */
  public void onEntryToNode(Runnable first) {
    node().onEntry(first);
    Actor.PODS_A.forEach(pod -> at(pod).onEntry(first));
  }

  /** A client that sends from an actor's address. */
  public Probe probe(Actor from) {
    AtomicInteger counter = ports.get(from.home());
    if (counter == null) {
      throw new IllegalStateException("no namespace " + from.home());
    }
    return new Probe(from, at(from), counter);
  }

  /** Lets {@code actor} answer under its name on an address of its namespace. */
  public void listen(Actor actor, Protocol protocol, Ip address, int port) {
    servers.listen(at(actor), actor.toString(), protocol, address, port);
  }

  /** Removes everything. */
  @Override
  public void close() {
    servers.close();
    remove(namespaces);
  }

  private static void remove(Map<String, Namespace> namespaces) {
    LabNames.delete(namespaces.values().stream().map(Namespace::name).toList());
  }
}
