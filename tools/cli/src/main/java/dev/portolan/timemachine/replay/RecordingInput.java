package dev.portolan.timemachine.replay;

import dev.portolan.config.DecisionSettings;
import dev.portolan.config.RecordedSettings;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.decision.NodeChoice;
import dev.portolan.source.record.RecordPoint;
import dev.portolan.source.record.RecordedEvent;
import dev.portolan.source.record.Recording;
import dev.portolan.source.record.RecordingException;
import dev.portolan.source.record.RecordingIndex;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.Waiting;
import dev.portolan.terminal.view.ServiceFilter;
import dev.portolan.text.Spelling;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A recording that a command was given, and what may be asked of it. */
final class RecordingInput {
  private final String name;
  private final Recording recording;
  private final RecordingIndex index;
  private final RecordedNames names = new RecordedNames();
  private final ZoneId zone;
  private final Remarks remarks;

  private RecordingInput(String name, Recording recording, ZoneId zone, Remarks remarks) {
    this.name = name;
    this.recording = recording;
    this.index = recording.index();
    this.zone = zone;
    this.remarks = remarks;
    recording.read(names::add);
  }

  /** Opens the file or folder {@code name}; times without a zone are of {@code zone}. */
  static RecordingInput open(String name, ZoneId zone, Remarks remarks) {
    try (Waiting _ = Waiting.busy(() -> "reading " + name, remarks)) {
      return new RecordingInput(name, Recording.open(Path.of(name)), zone, remarks);
    } catch (RecordingException e) {
      throw CommandFailure.input(e);
    } catch (InvalidPathException e) {
      throw CommandFailure.usage("'" + Text.printable(name) + "' is not a valid path");
    }
  }

  /** Reads all events; what cannot be read is a warning. */
  void read(Consumer<RecordedEvent> events) {
    try {
      String damage = recording.read(events);
      if (!damage.isEmpty()) {
        remarks.warn(name + ": " + damage);
      }
    } catch (RecordingException e) {
      throw CommandFailure.input(e);
    }
  }

  /** The node to look at: {@code named}, or the one that was served, or the only one there is. */
  String node(@Nullable String named) {
    Optional<String> wanted =
        Optional.ofNullable(named)
            .or(() -> Optional.of(names.servedNode()).filter(served -> !served.isEmpty()));
    return new NodeChoice(name, wanted, names.servedNode(), remarks).in(names.withEveryNode());
  }

  /** The settings under which {@code started} decided; defaults where it had none, or others. */
  DecisionSettings settings(RecordedEvent.Started started) {
    if (started.configuration().isEmpty()) {
      return DecisionSettings.DEFAULT;
    }
    try {
      return RecordedSettings.read(name, started.configuration()).decision();
    } catch (ConfigException e) {
      remarks.warn(
          name
              + ": the configuration that was recorded is not used, since it is not one of this"
              + " version: "
              + e.errors().getFirst());
      return DecisionSettings.DEFAULT;
    }
  }

  /** The moment that the value {@code text} of {@code option} means. */
  Instant time(String option, String text) {
    try {
      return switch (RecordPoint.parse(text, index, zone)) {
        case RecordPoint.AtTime(Instant time) -> time;
        case RecordPoint.AtRevision at -> recording.at(at).time();
      };
    } catch (RecordingException e) {
      throw CommandFailure.usage(option + ": " + Text.printable(String.valueOf(e.getMessage())));
    }
  }

  /** The service that a person calls {@code text}; with a sentence where there never was one. */
  NamespacedName service(String text) {
    ServiceFilter filter = new ServiceFilter(Optional.empty(), List.of(text));
    List<NamespacedName> found = names.services().stream().filter(filter::matches).toList();
    if (found.size() == 1) {
      return found.getFirst();
    }
    if (found.size() > 1) {
      throw CommandFailure.usage(
          "--service: several services are named '"
              + Text.printable(text)
              + "'; choose one of "
              + String.join(", ", found.stream().map(NamespacedName::toString).toList()));
    }
    throw CommandFailure.missing(
        "no service '"
            + Text.printable(text)
            + "' in "
            + name
            + " from "
            + local(index.begin())
            + " to "
            + local(index.end())
            + near(text));
  }

  private String near(String text) {
    List<String> all = names.services().stream().map(NamespacedName::toString).toList();
    String wanted = text.contains("/") ? text : "default/" + text;
    List<String> near = Spelling.near(wanted, all);
    String last = text.substring(text.lastIndexOf('/') + 1);
    if (near.isEmpty()) {
      // The name may be right, or nearly, and the namespace wrong.
      near =
          names.services().stream()
              .filter(service ->
                  service.name().equals(last)
                      || !Spelling.near(last, List.of(service.name())).isEmpty())
              .map(NamespacedName::toString)
              .limit(3)
              .toList();
    }
    return near.isEmpty()
        ? "; it has " + names.services().size() + " others"
        : "; did you mean " + String.join(" or ", near) + "?";
  }

  /** The zone of times that are printed. */
  ZoneId zone() {
    return zone;
  }

  /** When its first state was recorded. */
  Instant begin() {
    return index.begin();
  }

  /** The last moment that it covers. */
  Instant end() {
    return index.end();
  }

  /** A moment as a person reads it. */
  String local(Instant time) {
    return DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(
        time.atZone(zone).truncatedTo(ChronoUnit.SECONDS));
  }
}
