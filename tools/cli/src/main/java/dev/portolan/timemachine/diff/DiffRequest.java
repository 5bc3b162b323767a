package dev.portolan.timemachine.diff;

import dev.portolan.compare.events.AppliedChange;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.options.NodeSettingsOptions;
import dev.portolan.options.SourceOptions;
import dev.portolan.source.file.Manifests;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Text;
import dev.portolan.text.Spelling;
import dev.portolan.text.TextException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Which two states are to be compared, as it was asked for on the command line. */
record DiffRequest(
    List<String> sources,
    SourceOptions from,
    List<String> changes,
    List<String> nodes,
    List<String> configs,
    List<String> backends,
    boolean rules) {
  private static final String INPUT = "standard input";

  private static final String FORMS =
      "name two sources, or one with --from and what differs: -f FILE, two of --node, two of"
          + " --config, or with --rules two of --backend";

  /** What a manifest may lack: the service that it changes has an address, a new one will. */
  private static final String ALLOCATED = ": spec.clusterIP: missing";

  /** Whether one state is looked at from two nodes. */
  private boolean comparesNodes() {
    return sources.isEmpty() && changes.isEmpty() && configs.size() < 2 && nodes.size() == 2;
  }

  /** Says what makes no sense, before anything is read. */
  void refuseMistakes() {
    if (sources.size() == 1) {
      throw CommandFailure.usage(
          "'" + Text.printable(sources.getFirst()) + "' is compared with nothing; " + FORMS);
    }
    if (sources.isEmpty() == !from.isGiven()) {
      throw CommandFailure.usage(
          sources.isEmpty()
              ? "nothing to compare; " + FORMS
              : "--from: two sources are named already; remove it");
    }
    if (!sources.isEmpty() && !changes.isEmpty()) {
      throw CommandFailure.usage("-f: needs one state; write it with --from, and no other source");
    }
    atMostTwo("--config", configs);
    atMostTwo("--backend", backends);
    if (!backends.isEmpty() && !rules) {
      throw CommandFailure.usage(
          "--backend: decisions are the same for all backends; add --rules to compare rules");
    }
    boolean different =
        !sources.isEmpty()
            || !changes.isEmpty()
            || configs.size() == 2
            || backends.size() == 2
            || comparesNodes();
    if (!different) {
      throw CommandFailure.usage("only one state is named; " + FORMS);
    }
  }

  private static void atMostTwo(String option, List<String> values) {
    if (values.size() > 2) {
      throw CommandFailure.usage(option + ": two can be compared, not " + values.size());
    }
  }

  /** Reads both states. */
  DiffSides read(Remarks remarks) {
    DiffSide before;
    DiffSide after;
    if (sources.isEmpty()) {
      ClusterImage cluster = read(from, remarks);
      before = side(0, from, from.toString(), cluster, remarks);
      after =
          changes.isEmpty()
              ? side(1, from, from.toString(), cluster, remarks)
              : side(
                  1,
                  from,
                  from + " with " + Text.printable(String.join(" and ", changes)),
                  applied(cluster, remarks),
                  remarks);
    } else {
      SourceOptions first = from.at(sources.getFirst());
      SourceOptions second = from.at(sources.getLast());
      ClusterImage old = readNamed(first, remarks);
      // Equal parts become the same objects, so that comparing costs what differs.
      ClusterImage now = readNamed(second, remarks).sharing(old);
      before = side(0, first, first.toString(), old, remarks);
      after = side(1, second, second.toString(), now, remarks);
    }
    DiffSides sides = new DiffSides(before, after, nodes, comparesNodes());
    refuseUnknownNodes(sides);
    return sides;
  }

  /** A side, with the settings that its recording has where none are named. */
  private DiffSide side(
      int number, SourceOptions source, String title, ClusterImage cluster, Remarks remarks) {
    String config = one(configs, number);
    NodeSettingsOptions settings = NodeSettingsOptions.of(config);
    settings.follow(source, remarks);
    return new DiffSide(title, cluster, settings, config, one(backends, number));
  }

  /** The value for a side; one value is for both. */
  private static String one(List<String> values, int side) {
    return values.isEmpty() ? "" : values.get(Math.min(side, values.size() - 1));
  }

  private static ClusterImage read(SourceOptions options, Remarks remarks) {
    SourceOptions.Reading reading = options.read(remarks);
    reading.warnings().forEach(remarks::warn);
    return reading.image();
  }

  private static ClusterImage readNamed(SourceOptions source, Remarks remarks) {
    try {
      return read(source, remarks);
    } catch (CommandFailure e) {
      // The error is about --from, which was not written.
      String prefix = "--from: ";
      throw e.sentence().startsWith(prefix)
          ? CommandFailure.usage(e.sentence().substring(prefix.length()))
          : e;
    }
  }

  private ClusterImage applied(ClusterImage cluster, Remarks remarks) {
    ClusterImage newest = cluster;
    for (String file : changes) {
      Manifests manifests = manifests(file);
      manifests.warnings().stream()
          .filter(warning -> !warning.contains(ALLOCATED))
          .forEach(remarks::warn);
      AppliedChange change = AppliedChange.of(newest, manifests.image());
      change.notes().forEach(remarks::say);
      newest = change.cluster();
    }
    return newest;
  }

  private static Manifests manifests(String file) {
    try {
      return file.equals("-")
          ? Manifests.parse(INPUT, Manifests.text(INPUT, System.in))
          : Manifests.read(Path.of(file));
    } catch (InvalidPathException e) {
      throw CommandFailure.usage("-f: '" + Text.printable(file) + "' is not a valid path");
    } catch (TextException e) {
      throw CommandFailure.input(e);
    }
  }

  private void refuseUnknownNodes(DiffSides sides) {
    TreeSet<String> known = new TreeSet<>();
    sides.before().cluster().nodes().forEach((name, node) -> known.add(name));
    sides.after().cluster().nodes().forEach((name, node) -> known.add(name));
    for (String node : nodes) {
      if (!known.contains(node)) {
        List<String> near = new ArrayList<>(Spelling.near(node, known));
        Optional<String> meant =
            near.isEmpty() ? Optional.empty() : Optional.of(String.join(" or ", near));
        throw CommandFailure.usage(
            "--node: neither state has a Node '"
                + Text.printable(node)
                + "'"
                + meant.map(it -> "; did you mean " + Text.printable(it) + "?").orElse(""));
      }
    }
  }
}
