package dev.portolan.testkit;

import dev.portolan.brain.BrainSettings;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.explain.Client;
import dev.portolan.explain.Target;
import java.util.List;
import java.util.Optional;

/**
 * A story about one node: objects come and go, and what the node makes of it is written beside
 * them. The format is described in {@code workshop/scenarios.md}.
 *
 * @param file the name under which failures are reported
 * @param description what the scenario shows
 * @param lines the whole text
 */
public record Scenario(
    String file,
    String description,
    BrainSettings cluster,
    String node,
    NodeSettings settings,
    List<Step> steps,
    List<String> lines) {
  public Scenario {
    steps = List.copyOf(steps);
    lines = List.copyOf(lines);
  }

  /** Reads a scenario; {@code file} is the name under which mistakes in it are reported. */
  public static Scenario parse(String file, String text) {
    return new ScenarioParser(file, text).parse();
  }

  /**
   * A part of the file.
   *
   * @param line where its header stands, counted from 1
   * @param title the header between the dashes
   * @param body the lines below the header
   */
  public record Section(int line, String title, List<String> body) {
    public Section {
      body = List.copyOf(body);
    }
  }

  /** What an {@code expect} section looks at. */
  public enum Subject {
    STATE("expect"),
    REVISION("expect revision"),
    DELTA("expect delta"),
    WARNINGS("expect warnings"),
    FACTS("expect facts");

    private final String title;

    Subject(String title) {
      this.title = title;
    }

    /** The title of its sections. */
    public String title() {
      return title;
    }
  }

  /** One section of the story. */
  public sealed interface Step {
    /** Where it stands in the file. */
    Section section();

    /** Objects that are set in one transaction; {@code warnings} are what reading them said. */
    record SetObjects(Section section, ClusterImage objects, List<String> warnings)
        implements Step {
      public SetObjects {
        warnings = List.copyOf(warnings);
      }
    }

    /** Objects that are deleted in one transaction. */
    record Delete(Section section, List<ObjectRef> objects) implements Step {
      public Delete {
        objects = List.copyOf(objects);
      }
    }

    /** What must hold now. */
    record Expect(Section section, Subject subject, List<String> lines) implements Step {
      public Expect {
        lines = List.copyOf(lines);
      }
    }

    /** What must become of a connection. */
    record Explain(Section section, Target target, Optional<Client> client, List<String> lines)
        implements Step {
      public Explain {
        lines = List.copyOf(lines);
      }
    }
  }
}
