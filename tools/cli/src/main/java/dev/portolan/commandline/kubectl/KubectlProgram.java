package dev.portolan.commandline.kubectl;

import dev.portolan.core.error.Threads;
import dev.portolan.terminal.Terminal;
import dev.portolan.text.Field;
import dev.portolan.text.TextException;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The program kubectl, which reaches the cluster as the user does: with the same kubeconfig, the
 * same credentials, the same proxies.
 *
 * @param program what is run
 * @param connection the options that choose the cluster and the user
 */
record KubectlProgram(String program, List<String> connection) {
  /** What kubectl says where a program that it started elsewhere failed. */
  private static final Pattern ENDED = Pattern.compile("command terminated with exit code (\\d+)");

  private static final int NOT_RUN = -1;

  /** A pod, and the node on which it runs. */
  record Pod(String namespace, String name, String node, boolean isRunning) {
    @Override
    public String toString() {
      return "pod " + namespace + "/" + name;
    }
  }

  /**
   * How a program ended.
   *
   * @param remote the exit status of the program that was started in a pod, if it failed there
   */
  record Ended(int status, List<String> errors, Optional<Integer> remote) {
    /** The first error about it. */
    String reason() {
      return errors.isEmpty() ? "exit status " + status : errors.getFirst().strip();
    }
  }

  /** The names of objects, or why they cannot be read. */
  sealed interface Listing {
    /** What was found. */
    record Found(List<Field> items) implements Listing {}

    /** Why nothing was found. */
    record Failed(String reason) implements Listing {}
  }

  /** The namespace of the kubeconfig's context. */
  String namespace() {
    StringBuilder text = new StringBuilder();
    Ended ended =
        run(List.of("config", "view", "--minify", "--output=jsonpath={..namespace}"), text::append);
    return ended.status() == 0 && !text.isEmpty() ? text.toString().strip() : "default";
  }

  /** At most {@code limit} objects below {@code path} of the API. */
  Listing list(String path, String labels, String fields, int limit) {
    String query =
        "?limit=" + limit + parameter("labelSelector", labels) + parameter("fieldSelector", fields);
    StringBuilder text = new StringBuilder();
    Ended ended = run(List.of("get", "--raw", path + query), text::append);
    if (ended.status() != 0) {
      return new Listing.Failed(ended.reason());
    }
    try {
      return new Listing.Found(Field.json("kubectl", "list", text.toString()).at("items").items());
    } catch (TextException e) {
      return new Listing.Failed(String.valueOf(e.getMessage()));
    }
  }

  private static String parameter(String name, String value) {
    return value.isEmpty()
        ? ""
        : "&" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  /** A pod of a list. */
  static Pod pod(Field item) {
    return new Pod(
        item.at("metadata").at("namespace").text(""),
        item.at("metadata").at("name").text(""),
        item.at("spec").at("nodeName").text(""),
        item.at("status").at("phase").text("").equals("Running"));
  }

  /** Runs Portolan in a container of a pod, and prints what it prints. */
  Ended exec(Pod pod, String container, List<String> words, Terminal terminal) {
    List<String> all =
        new ArrayList<>(
            List.of("exec", "--namespace=" + pod.namespace(), pod.name(), "-c", container, "--"));
    all.add("/usr/local/bin/portolan");
    all.addAll(words);
    return run(
        all,
        line -> {
          terminal.out().println(line);
          terminal.out().flush();
        });
  }

  /** Runs kubectl; each line of its output goes to {@code out}. */
  Ended run(List<String> words, Consumer<String> out) {
    List<String> all = new ArrayList<>(List.of(program));
    all.addAll(connection);
    all.addAll(words);
    try {
      Process process = new ProcessBuilder(all).start();
      process.getOutputStream().close();
      FutureTask<List<String>> errors =
          new FutureTask<>(() -> process.errorReader(StandardCharsets.UTF_8).lines().toList());
      Threads.virtual("kubectl").start(errors::run);
      BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        out.accept(line);
      }
      return ended(process.waitFor(), errors.get());
    } catch (IOException e) {
      return new Ended(
          NOT_RUN, List.of("cannot run " + program + ": " + e.getMessage()), Optional.empty());
    } catch (ExecutionException e) {
      return new Ended(NOT_RUN, List.of(String.valueOf(e.getMessage())), Optional.empty());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Ended(NOT_RUN, List.of("interrupted"), Optional.empty());
    }
  }

  private static Ended ended(int status, List<String> errors) {
    List<String> said = new ArrayList<>();
    Optional<Integer> remote = Optional.empty();
    for (String line : errors) {
      Matcher end = ENDED.matcher(line);
      if (end.matches()) {
        remote = Optional.of(Integer.valueOf(end.group(1)));
      } else {
        said.add(line);
      }
    }
    return new Ended(status, said, remote);
  }
}
