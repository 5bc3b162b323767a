package dev.portolan.lab;

import dev.portolan.netlink.NetworkNamespace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One network namespace of a lab. */
public final class Namespace {
  private final String name;
  private final NetworkNamespace door;
  private volatile Runnable entry = () -> {};

  Namespace(String name) {
    this.name = name;
    this.door = NetworkNamespace.named(name);
  }

  /** The name under which {@code ip netns} knows it. */
  public String name() {
    return name;
  }

  /** The file by which it is entered. */
  public Path path() {
    return door.path();
  }

  /**
   * Calls {@code work} on a thread inside the namespace. Sockets that it opens stay inside, and may
   * then be used from any thread.
   */
  public <T, E extends Exception> T call(NetworkNamespace.Visit<T, E> work) throws E {
    return door.visit(() -> {
      entry.run();
      return work.call();
    });
  }

  /** Lets every thread that enters from now on begin with {@code first}. */
  void onEntry(Runnable first) {
    entry = first;
  }

  /** Runs {@code work} on a thread inside the namespace. */
  public void run(Runnable work) {
    var _ =
        this.<Boolean, RuntimeException>call(() -> {
          work.run();
          return true;
        });
  }

  /** Runs a program inside the namespace to its end; returns what it printed. */
  public String exec(String... words) {
    return execWith("", words);
  }

  /** The same, with {@code input} on the program's standard input. */
  public String execWith(String input, String... words) {
    List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", name));
    command.addAll(List.of(words));
    return Command.run(command, input);
  }

  @Override
  public String toString() {
    return name;
  }
}
