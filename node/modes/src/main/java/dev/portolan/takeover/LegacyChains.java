package dev.portolan.takeover;

import dev.portolan.backend.iptables.IptablesProgram;
import dev.portolan.core.backend.BackendException;
import dev.portolan.mode.Own;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.NetworkNamespace;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The chains of one family that kube-proxy wrote through iptables-legacy. Only its own programs can
 * read and change those.
 */
record LegacyChains(TakeoverOptions options, AddressFamily family, List<ChainPlan> plans)
    implements Leftover {
  static List<LegacyChains> find(TakeoverOptions options, AddressFamily family) {
    List<String> tables = tables(options, family);
    if (tables.isEmpty()) {
      return List.of();
    }
    List<ChainPlan> plans = plans(options, family, tables);
    return plans.isEmpty() ? List.of() : List.of(new LegacyChains(options, family, plans));
  }

  @Override
  public String describe() {
    return "legacy iptables, "
        + family
        + ": "
        + plans.stream().map(ChainPlan::describe).collect(Collectors.joining(", "));
  }

  @Override
  public void remove() {
    List<String> tables = tables(options, family);
    List<ChainPlan> now = tables.isEmpty() ? List.of() : plans(options, family, tables);
    if (!now.isEmpty()) {
      String orders = now.stream().map(LegacyChains::orders).collect(Collectors.joining());
      IptablesProgram restore = program(options, family, "restore", tables);
      check(restore, restore.ask(orders, _ -> {}, List.of("--noflush", "-w", "5")));
    }
  }

  /** The tables in use. The kernel's list has no others, and reading it loads none. */
  private static List<String> tables(TakeoverOptions options, AddressFamily family) {
    Path names = Path.of("/proc/thread-self/net", family.word() + "_tables_names");
    List<String> inUse;
    try {
      inUse =
          options.namespace().isEmpty()
              ? read(names)
              : new NetworkNamespace(options.namespace().get()).visit(() -> read(names));
    } catch (IOException e) {
      String cause =
          e instanceof AccessDeniedException ? "permission denied, run as root" : e.getMessage();
      throw new BackendException("cannot read " + names + ": " + cause, e);
    }
    return KubeChains.TABLES.stream().filter(inUse::contains).toList();
  }

  private static List<String> read(Path names) throws IOException {
    return Files.exists(names) ? Files.readAllLines(names) : List.of();
  }

  private static List<ChainPlan> plans(
      TakeoverOptions options, AddressFamily family, List<String> tables) {
    SavedRules saved = new SavedRules();
    IptablesProgram save = program(options, family, "save", tables);
    check(save, save.read(saved::accept, List.of()));
    if (options.onlyOurs() && !saved.isMarked()) {
      return List.of();
    }
    return saved.plans((table, chain) -> options.keeps(Own.LEGACY_CHAINS, table, chain));
  }

  private static void check(IptablesProgram program, IptablesProgram.Result result) {
    if (!result.succeeded()) {
      throw new BackendException(program.path() + " failed: " + result.words());
    }
  }

  /** Declaring a chain empties it; so all are empty before the first is deleted. */
  private static String orders(ChainPlan plan) {
    StringBuilder text = new StringBuilder("*" + plan.table() + "\n");
    plan.chains().forEach(chain -> text.append(':').append(chain).append(" - [0:0]\n"));
    for (ChainPlan.Jump jump : plan.jumps()) {
      text.append("-D ").append(jump.from()).append(jump.rule()).append('\n');
    }
    plan.chains().forEach(chain -> text.append("-X ").append(chain).append('\n'));
    return text.append("COMMIT\n").toString();
  }

  private static IptablesProgram program(
      TakeoverOptions options, AddressFamily family, String verb, List<String> tables) {
    String prefix = family.word() + "tables";
    String name = prefix + "-legacy-" + verb;
    return find(options, name)
        .or(() -> find(options, prefix + "-" + verb).filter(LegacyChains::isLegacy))
        .orElseThrow(() ->
            new BackendException(
                "iptables-legacy tables are in use ("
                    + String.join(", ", tables)
                    + "), but there is no program "
                    + name
                    + " to read them; install iptables, or run kube-proxy --cleanup where it is"
                    + " installed"));
  }

  private static Optional<IptablesProgram> find(TakeoverOptions options, String name) {
    return IptablesProgram.find(options.programs(), name, options.namespace());
  }

  /**
   * Whether a program without a variant in its name is iptables-legacy; releases before 1.8 are.
   */
  private static boolean isLegacy(IptablesProgram program) {
    StringBuilder version = new StringBuilder();
    check(program, program.read(version::append, List.of("--version")));
    return !version.toString().contains("nf_tables");
  }
}
