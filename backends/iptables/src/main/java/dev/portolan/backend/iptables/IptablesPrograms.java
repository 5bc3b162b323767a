package dev.portolan.backend.iptables;

import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.net.IpFamily;
import dev.portolan.netlink.NetworkNamespace;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The programs of one family, all of one kind: one that lists, one that saves, one that restores.
 */
record IptablesPrograms(
    IptablesProgram list,
    IptablesProgram save,
    IptablesProgram restore,
    Version version,
    long lockSeconds) {
  private static final List<String> EMPTY_TABLES =
      List.of("*mangle", "COMMIT", "*filter", "COMMIT", "*nat", "COMMIT");

  /** How the programs end where there is no such chain. */
  private static final int NOT_THERE = 1;

  /** What the kubelet leaves to show which kind the host uses. */
  private static final Pattern HINT = Pattern.compile(":KUBE-(IPTABLES-HINT|KUBELET-CANARY) .*");

  /** A release of iptables, and whether its rules live in nf_tables. */
  record Version(int major, int minor, int patch, boolean nft) {
    private static final Pattern TEXT =
        Pattern.compile(".*?v(\\d+)\\.(\\d+)(?:\\.(\\d+))?(.*)", Pattern.DOTALL);

    static Optional<Version> parse(String text) {
      Matcher matcher = TEXT.matcher(text);
      if (!matcher.matches()) {
        return Optional.empty();
      }
      return Optional.of(
          new Version(
              Integer.parseInt(matcher.group(1)),
              Integer.parseInt(matcher.group(2)),
              matcher.group(3) == null ? 0 : Integer.parseInt(matcher.group(3)),
              matcher.group(4).contains("nf_tables")));
    }

    /** From 1.6.2 on restoring can wait for the lock, and masquerading can draw ports. */
    boolean isModern() {
      return major * 10_000 + minor * 100 + patch >= 10_602;
    }

    @Override
    public String toString() {
      return major + "." + minor + "." + patch + (nft ? " (nf_tables)" : " (legacy)");
    }
  }

  /**
   * The programs that this host uses for {@code family}; says what is missing where there are none.
   */
  static IptablesPrograms find(IptablesOptions options, IpFamily family) {
    String prefix = prefix(family);
    Optional<IptablesPrograms> found =
        switch (options.variant()) {
          case NFT, LEGACY -> ofVariant(options, prefix, options.variant());
          case AUTO ->
              hinted(options)
                  .flatMap(variant -> ofVariant(options, prefix, variant))
                  .or(() -> named(options, prefix))
                  .or(() -> ofVariant(options, prefix, Variant.NFT))
                  .or(() -> ofVariant(options, prefix, Variant.LEGACY));
        };
    return found.orElseThrow(() -> new BackendException(ErrorCode.HOST, missing(options, prefix)));
  }

  private static String missing(IptablesOptions options, String prefix) {
    String variant = options.variant().name().toLowerCase(Locale.ROOT);
    String name = options.variant() == Variant.AUTO ? prefix : prefix + "-" + variant;
    return "iptables: program not found: "
        + name
        + "-restore in "
        + options.programs().stream().map(Path::toString).collect(Collectors.joining(", "))
        + "; install the package iptables, or use another mode";
  }

  /**
   * The kind in which the kubelet has left its mark; in a container that is the host's kind. A mark
   * in one family stands for both, or the rules of one would be taken for another proxy's.
   */
  private static Optional<Variant> hinted(IptablesOptions options) {
    return Stream.of(IpFamily.IPV4, IpFamily.IPV6)
        .flatMap(each -> hintedIn(options, each).stream())
        .findFirst();
  }

  private static Optional<Variant> hintedIn(IptablesOptions options, IpFamily family) {
    Optional<IptablesPrograms> nft = ofVariant(options, prefix(family), Variant.NFT);
    Optional<IptablesPrograms> legacy = ofVariant(options, prefix(family), Variant.LEGACY);
    if (nft.isEmpty() || legacy.isEmpty()) {
      return Optional.empty();
    }
    if (hasHint(nft.get())) {
      return Optional.of(Variant.NFT);
    }
    // Asking iptables-legacy about an unused table would create it.
    return usesLegacyMangle(options, family) && hasHint(legacy.get())
        ? Optional.of(Variant.LEGACY)
        : Optional.empty();
  }

  private static String prefix(IpFamily family) {
    return family == IpFamily.IPV4 ? "iptables" : "ip6tables";
  }

  private static boolean hasHint(IptablesPrograms programs) {
    boolean[] found = {false};
    IptablesProgram.Result result =
        programs.save.read(
            line -> found[0] |= HINT.matcher(line).matches(), List.of("-t", Chains.MANGLE));
    return result.succeeded() && found[0];
  }

  private static boolean usesLegacyMangle(IptablesOptions options, IpFamily family) {
    Path names =
        Path.of(
            "/proc/thread-self/net",
            family == IpFamily.IPV4 ? "ip_tables_names" : "ip6_tables_names");
    try {
      return options.namespace().isEmpty()
          ? read(names).contains(Chains.MANGLE)
          : new NetworkNamespace(options.namespace().get())
              .visit(() -> read(names))
              .contains(Chains.MANGLE);
    } catch (IOException e) {
      return false;
    }
  }

  private static List<String> read(Path names) throws IOException {
    return Files.exists(names) ? Files.readAllLines(names) : List.of();
  }

  /** The programs of one kind, where this host has them. */
  static Optional<IptablesPrograms> ofVariant(
      IptablesOptions options, IpFamily family, Variant variant) {
    return ofVariant(options, prefix(family), variant);
  }

  private static Optional<IptablesPrograms> ofVariant(
      IptablesOptions options, String prefix, Variant variant) {
    boolean nft = variant == Variant.NFT;
    return named(options, prefix + (nft ? "-nft" : "-legacy"))
        .or(() -> named(options, prefix).filter(it -> it.version.nft == nft));
  }

  private static Optional<IptablesPrograms> named(IptablesOptions options, String name) {
    Optional<IptablesProgram> list = program(options, name);
    Optional<IptablesProgram> save = program(options, name + "-save");
    Optional<IptablesProgram> restore = program(options, name + "-restore");
    if (list.isEmpty() || save.isEmpty() || restore.isEmpty()) {
      return Optional.empty();
    }
    StringBuilder text = new StringBuilder();
    list.get().read(text::append, List.of("--version"));
    return Version.parse(text.toString())
        .map(version ->
            new IptablesPrograms(
                list.get(), save.get(), restore.get(), version, options.lockWait().toSeconds()));
  }

  private static Optional<IptablesProgram> program(IptablesOptions options, String name) {
    return IptablesProgram.find(options.programs(), name, options.namespace());
  }

  /** Makes sure that the kernel takes part, or says why not. */
  IptablesPrograms checked() {
    IptablesProgram.Result result =
        restore.feed(
            stream -> write(stream, EMPTY_TABLES),
            restoreWords(List.of("--noflush", "--test")),
            new OwnWrites(System::nanoTime));
    if (!result.succeeded()) {
      String words = result.words();
      if (words.contains("lock file")) {
        throw new BackendException(
            ErrorCode.HOST,
            "iptables: %s %s: %s; make its folder writable, or mount the file from the host (hostPath, type FileOrCreate)"
                .formatted(restore.path(), version, words));
      }
      // iptables-legacy-restore does not say that it is not permitted; iptables-legacy does.
      boolean forbidden =
          forbids(words) || forbids(list.read(line -> {}, List.of("-t", "mangle", "-S")).words());
      throw new BackendException(
          forbidden ? ErrorCode.PRIVILEGES : ErrorCode.HOST,
          forbidden
              ? "iptables: not permitted; run as root or with CAP_NET_ADMIN"
                  + (version.nft() ? "" : " and CAP_NET_RAW, which iptables-legacy needs")
              : "iptables: the kernel does not support "
                  + restore.path()
                  + " "
                  + version
                  + ": "
                  + words
                  + "; load its modules, or use the other variant or another mode");
    }
    return this;
  }

  private static boolean forbids(String words) {
    return words.contains("Permission denied") || words.contains("Operation not permitted");
  }

  private static void write(OutputStream stream, List<String> lines) {
    RestoreWriter writer = RestoreWriter.to(stream);
    lines.forEach(writer::line);
    writer.flush();
  }

  /** Writes for {@link #restore}. */
  RestoreWriter writer(OutputStream stream) {
    return RestoreWriter.to(stream).inParts(version.nft());
  }

  /** Writes nowhere, and keeps the line that {@link #restore} gives this number. */
  RestoreWriter writerLookingFor(int line) {
    return RestoreWriter.lookingFor(line).inParts(version.nft());
  }

  /** Runs iptables-restore, and leaves alone what its input does not name. */
  IptablesProgram.Result restore(Consumer<OutputStream> input, OwnWrites own) {
    return restore.feed(input, restoreWords(List.of("--noflush")), own);
  }

  private List<String> restoreWords(List<String> words) {
    List<String> all = new ArrayList<>();
    if (version.isModern()) {
      all.addAll(List.of("-w", Long.toString(lockSeconds)));
    }
    all.addAll(words);
    return all;
  }

  /** Hands over all rules of all tables. */
  void save(Consumer<String> lines) {
    IptablesProgram.Result result = save.read(lines, List.of());
    if (!result.succeeded()) {
      throw new BackendException(
          "iptables: " + save.path() + " cannot read the rules: " + result.words());
    }
  }

  /**
   * Lists chains of one table, in one run of iptables-restore, which takes the commands of iptables
   * as well. Where one is not there it ends, and that one is returned.
   *
   * @param chains what follows {@code -S}: a chain, and perhaps the number of a rule
   */
  Optional<String> list(String table, List<String> chains, Consumer<String> lines) {
    StringBuilder input = new StringBuilder("*" + table + "\n");
    chains.forEach(chain -> input.append("-S ").append(chain).append('\n'));
    input.append("COMMIT\n");
    IptablesProgram.Result result =
        restore.ask(input.toString(), lines, restoreWords(List.of("--noflush")));
    if (result.succeeded()) {
      return Optional.empty();
    }
    if (result.status() != NOT_THERE) {
      throw new BackendException(
          "iptables: " + restore.path() + " cannot read table " + table + ": " + result.words());
    }
    int line = Rejection.number(result).orElse(0);
    return chains.stream()
        .filter(chain -> result.complaint().contains("`" + chain + "'"))
        .findFirst()
        .or(() -> Optional.of(line < 2 || line > chains.size() + 1 ? "?" : chains.get(line - 2)));
  }

  @Override
  public String toString() {
    return restore.path() + " " + version;
  }
}
