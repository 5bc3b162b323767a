package dev.portolan.backend.iptables;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeImage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Compares every rule that the kernel has in our chains with those that it should have. Only a hash
 * of its rules is kept for each chain, so that this needs little memory.
 *
 * <p>Comments do not count: they come and go with the size of the cluster, and change nothing. Nor
 * do chains that are no longer needed, which are removed with the next change.
 */
final class Comparison {
  /** An odd number whose bits are spread. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final IpFamily family;

  /** In the end, those that are different. */
  private final Map<String, Chain> chains = new HashMap<>();

  private final Restore restore;
  private String table = "";

  /** A chain's rules in the kernel, and as they should be. */
  private static final class Chain {
    final Rules there = new Rules();
    final Rules wanted = new Rules();
    boolean isThere;
    boolean isWanted;
  }

  /** What rules give. */
  private static final class Rules {
    int count;
    private int notLast;
    private long sum;

    void add(boolean shared, RuleForm rule) {
      long value = rule.meaning().hashCode() * SPREAD;
      count++;
      if (shared && RuleText.isLast(rule)) {
        sum += value * (1 + 2L * notLast);
      } else if (shared) {
        notLast++;
        sum += value;
      } else {
        sum = (sum + value) * SPREAD;
      }
    }

    long value() {
      return sum + count;
    }
  }

  /**
   * Compares what {@code programs} read with what is written for {@code image}.
   *
   * @param comments whether rules of endpoints that are written have comments
   */
  Comparison(IptablesPrograms programs, FamilySetting setting, NodeImage image, boolean comments) {
    family = setting.family();
    KernelRules kernel = new KernelRules();
    programs.save(line -> {
      if (!there(line)) {
        kernel.accept(line);
      }
    });
    restore = Restore.whole(setting, image, kernel, comments);
    restore.write(RestoreWriter.handing(this::wanted));
    chains.values().removeIf(chain -> !isDifferent(chain, null));
  }

  /** Takes a line of the kernel; returns whether it matters to what is in our chains alone. */
  private boolean there(String line) {
    if (line.startsWith("*")) {
      table = line.substring(1).strip();
    } else if (line.startsWith(":")) {
      String name = line.substring(1, line.indexOf(' '));
      if (Chains.isOwned(table, name)) {
        at(name).isThere = true;
        return Chains.isOfService(name);
      }
    } else if (line.startsWith("-A ")) {
      Chain chain = chains.get(key(name(line)));
      if (chain != null) {
        add(chain.there, line);
        return true;
      }
    }
    return false;
  }

  private void wanted(String line) {
    if (line.startsWith("*")) {
      table = line.substring(1);
    } else if (line.startsWith(":")) {
      at(line.substring(1, line.indexOf(' '))).isWanted = true;
    } else if (line.startsWith("-A ")) {
      Chain chain = chains.get(key(name(line)));
      if (chain != null) {
        add(chain.wanted, line);
      }
    }
  }

  private void add(Rules rules, String line) {
    String name = name(line);
    String rule = line.substring(Math.min(line.length(), "-A ".length() + name.length() + 1));
    rules.add(Shared.isOne(key(name)), RuleForm.of(rule, family));
  }

  private static String name(String line) {
    int end = line.indexOf(' ', 3);
    return line.substring(3, end < 0 ? line.length() : end);
  }

  private Chain at(String name) {
    return chains.computeIfAbsent(key(name), key -> new Chain());
  }

  private String key(String name) {
    return table + " " + name;
  }

  /**
   * What is missing or different, in words, sorted.
   *
   * @param alike chains that count as equal if their rules give this
   */
  List<String> differences(Map<String, Long> alike) {
    List<String> differences = new ArrayList<>();
    restore.jumps().forEach(jump -> differences.add(jump.toString()));
    if (restore.guard()) {
      differences.add(Look.GUARD);
    }
    for (String key : different(alike)) {
      String[] words = key.split(" ", 2);
      boolean isThere = Objects.requireNonNull(chains.get(key)).isThere;
      differences.add(
          (isThere ? "the rules of " : "the chain ") + words[1] + " in table " + words[0]);
    }
    return differences.stream().map(it -> it + " (" + family + ")").toList();
  }

  private SortedSet<String> different(Map<String, Long> alike) {
    SortedSet<String> different = new TreeSet<>();
    chains.forEach((key, chain) -> {
      if (isDifferent(chain, alike.get(key))) {
        different.add(key);
      }
    });
    return different;
  }

  /** What puts right the differences: where these are in chains that all need, everything. */
  Restore repair(Map<String, Long> alike) {
    Set<String> different = different(alike);
    boolean some =
        different.stream()
            .allMatch(key ->
                Shared.isOne(key) || Chains.isOfService(key.substring(key.indexOf(' ') + 1)));
    return some ? restore.only(different) : restore;
  }

  private static boolean isDifferent(Chain chain, @Nullable Long alike) {
    return chain.isWanted
        && (!chain.isThere
            || (chain.there.value() != chain.wanted.value()
                && (alike == null || alike != chain.there.value())));
  }

  /**
   * Right after everything was written: hashes of the chains that still differ, because iptables
   * prints some rule in a way that this program does not know. Writing them again would not help.
   */
  Map<String, Long> alike() {
    Map<String, Long> alike = new HashMap<>();
    chains.forEach((key, chain) -> {
      if (chain.isThere && chain.there.count == chain.wanted.count) {
        alike.put(key, chain.there.value());
      }
    });
    return alike;
  }
}
