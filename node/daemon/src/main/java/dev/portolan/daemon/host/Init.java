package dev.portolan.daemon.host;

import dev.portolan.config.fields.ProxyConfiguration.Conntrack;
import dev.portolan.config.fields.ProxyConfiguration.Linux;
import dev.portolan.config.gates.Platform;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Sets on the host what the configuration asks for. A number that is right already is not written:
 * so a process without privilege finds nothing to do after one with privilege has been here.
 *
 * <p>{@code route_localnet} is not touched here: only mode iptables needs it, and writes a rule
 * that guards it first.
 */
public final class Init {
  private static final String OOM_SCORE = "proc/self/oom_score_adj";

  private static final String FAILURE = "could not set conntrack parameters: ";
  private static final String ABSENT =
      FAILURE + "this kernel does not track connections; load the module nf_conntrack";

  private final HostFiles files;
  private final Runnable loadConntrack;

  /**
   * What came of it, in sentences.
   *
   * @param set what was written
   * @param refused what could not be written but can be done without
   * @param fatal what could not be written and must not be ignored
   */
  public record Report(List<String> set, List<String> refused, List<String> fatal) {
    public Report {
      set = List.copyOf(set);
      refused = List.copyOf(refused);
      fatal = List.copyOf(fatal);
    }

    /** Whether the daemon may go on. */
    public boolean isUsable() {
      return fatal.isEmpty();
    }
  }

  /** Works on this host. */
  public Init() {
    // Not a reference to the method, which would load the class on Windows too.
    this(Path.of("/"), () -> ConntrackModule.load());
  }

  /**
   * Works below another root than {@code /}.
   *
   * @param loadConntrack called once where the kernel has no settings of connection tracking yet
   */
  Init(Path root, Runnable loadConntrack) {
    this.files = new HostFiles(root);
    this.loadConntrack = loadConntrack;
  }

  /**
   * Sets everything: connection tracking, then this process's chance of being killed. Windows has
   * neither.
   */
  public Report run(Linux settings) {
    if (Platform.current() == Platform.WINDOWS) {
      return new Report(List.of(), List.of(), List.of());
    }
    Report conntrack = conntrack(settings.conntrack());
    Report oomScore = oomScore(settings.oomScoreAdj());
    List<String> set = new ArrayList<>(conntrack.set);
    set.addAll(oomScore.set);
    return new Report(set, oomScore.refused, conntrack.fatal);
  }

  /** Sets the kernel's connection tracking. Whatever fails is fatal; the rest is tried anyway. */
  public Report conntrack(Conntrack settings) {
    List<ConntrackTarget> targets = ConntrackTarget.of(settings, Processors.online(files));
    if (!targets.isEmpty() && !files.exists(ConntrackTarget.MAX)) {
      loadConntrack.run();
      if (!files.exists(ConntrackTarget.MAX)) {
        return new Report(List.of(), List.of(), List.of(ABSENT));
      }
    }
    List<String> set = new ArrayList<>();
    List<String> fatal = new ArrayList<>();
    for (ConntrackTarget target : targets) {
      try {
        long present = files.read(target.file());
        if (!target.isMetBy(present)) {
          files.write(target.file(), target.value());
          set.add("set " + target.name() + " to " + target.value() + ", it was " + present);
        }
      } catch (IOException e) {
        fatal.add(failure(target, e));
      }
    }
    return new Report(set, List.of(), fatal);
  }

  /** Sets how soon the kernel kills this process for lack of memory; it may refuse. */
  public Report oomScore(int score) {
    try {
      long present = files.read(OOM_SCORE);
      if (present == score) {
        return new Report(List.of(), List.of(), List.of());
      }
      files.write(OOM_SCORE, score);
      return new Report(
          List.of("set /" + OOM_SCORE + " to " + score + ", it was " + present),
          List.of(),
          List.of());
    } catch (IOException e) {
      String sentence =
          "cannot set /"
              + OOM_SCORE
              + " to "
              + score
              + ": "
              + HostFiles.reason(e)
              + "; the kernel may kill this process sooner than others when memory is short."
              + " A lower score needs CAP_SYS_RESOURCE";
      return new Report(List.of(), List.of(sentence), List.of());
    }
  }

  private static String failure(ConntrackTarget target, IOException failure) {
    String remedy =
        failure instanceof NoSuchFileException
            ? "load the module nf_conntrack"
            : "first run kube-proxy --init-only with privileges";
    return FAILURE
        + target.name()
        + " to "
        + target.value()
        + ": "
        + HostFiles.reason(failure)
        + "; "
        + remedy
        + ", or set "
        + target.setting()
        + (target.file().contains("be_liberal") ? " to false" : " to 0")
        + " to keep the current value";
  }
}
