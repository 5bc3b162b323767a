package dev.portolan.nftables.table;

import dev.portolan.core.text.Counted;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.nftables.Batch;
import dev.portolan.nftables.Element;
import dev.portolan.nftables.Nftables.ChainInfo;
import dev.portolan.nftables.Nftables.RuleInfo;
import dev.portolan.nftables.Nftables.SetInfo;
import dev.portolan.nftables.Nftables.TableInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Compares a whole table with what the kernel really has, and finds what makes them equal. It is
 * how a restart, an audit and a repair work: what is right already is left alone.
 */
final class Reconciliation {
  private final KernelTables kernel;
  private final TableState wanted;
  private final Map<String, Chain> wantedChains;
  private final SharedSets shared;
  private final AddressFamily family;
  private final Set<String> unwantedChains = new HashSet<>();
  private final Set<String> unwantedSets = new HashSet<>();
  private final Consumer<Supplier<String>> preview;
  private final boolean previewing;
  private int differences;
  private int missing;

  Reconciliation(KernelTables kernel, TableState wanted, SharedSets shared) {
    this(kernel, wanted, shared, false, line -> {});
  }

  private Reconciliation(
      KernelTables kernel,
      TableState wanted,
      SharedSets shared,
      boolean previewing,
      Consumer<Supplier<String>> preview) {
    this.kernel = kernel;
    this.wanted = wanted;
    this.wantedChains = wanted.chains();
    this.shared = shared;
    this.preview = preview;
    this.previewing = previewing;
    this.family = FamilyTable.netlink(wanted.family());
  }

  /**
   * The same, describing each change: {@code lines} receives one that starts with {@code +}, {@code
   * -} or {@code ~}.
   */
  static Reconciliation describing(
      KernelTables kernel, TableState wanted, SharedSets shared, Consumer<String> lines) {
    return new Reconciliation(kernel, wanted, shared, true, line -> lines.accept(line.get()));
  }

  /** How many objects were missing, different or too many. */
  int differences() {
    return differences;
  }

  /** How many of them were not only too many. */
  int missing() {
    return missing;
  }

  /** Existing chains that are not needed; they are empty after the transaction. */
  Set<String> unwantedChains() {
    return unwantedChains;
  }

  /** Existing sets that are not needed. */
  Set<String> unwantedSets() {
    return unwantedSets;
  }

  /** Adds to {@code batch} what removes the kernel's table and makes the wanted one. */
  void rebuild(Batch batch) {
    batch.family(family);
    if (kernel.table(wanted.family()).isPresent()) {
      batch.deleteTable();
    }
    build(batch);
  }

  /** Adds to {@code batch} what makes the kernel's table equal to the wanted one. */
  void repair(Batch batch) {
    batch.family(family);
    Optional<TableInfo> found = kernel.table(wanted.family());
    if (found.isEmpty()) {
      build(batch);
      return;
    }
    Map<String, SetInfo> sets = new HashMap<>();
    kernel.sets(wanted.family()).forEach(set -> sets.put(set.name(), set));
    Map<String, ChainInfo> chains = new HashMap<>();
    kernel.chains(wanted.family()).forEach(chain -> chains.put(chain.name(), chain));
    if (!TableMark.isOn(found.get()) || found.get().dormant() || isForeign(sets, chains)) {
      preview.accept(() -> "- table " + place());
      batch.deleteTable();
      build(batch);
      return;
    }
    Map<String, List<RuleInfo>> rules = new HashMap<>();
    kernel
        .rules(wanted.family())
        .forEach(rule -> rules.computeIfAbsent(rule.chain(), key -> new ArrayList<>()).add(rule));
    wanted
        .sets()
        .forEach((name, type) -> {
          if (!sets.containsKey(name)) {
            batch.addSet(type.spec(name, wanted.family()));
            preview.accept(() -> "+ " + noun(name) + " " + place() + " " + name);
            differences++;
            missing++;
          }
        });
    for (Chain chain : wantedChains.values()) {
      if (!chains.containsKey(chain.name())) {
        batch.addChain(chain.name(), chain.hook(), chain.comment());
        preview.accept(() -> "+ chain " + describe(chain));
        differences++;
        missing++;
      }
    }
    unwantedChains.addAll(chains.keySet());
    unwantedChains.removeAll(wantedChains.keySet());
    sets.keySet().stream()
        .filter(name -> !wanted.sets().containsKey(name))
        .forEach(unwantedSets::add);
    unwantedSets.removeIf(name -> name.startsWith("__"));
    differences += unwantedChains.size() + unwantedSets.size();
    unwantedChains.forEach(name -> preview.accept(() -> "- chain " + place() + " " + name));
    unwantedSets.forEach(name -> preview.accept(() -> "- set or map " + place() + " " + name));
    for (Chain chain : wantedChains.values()) {
      List<RuleInfo> there = rules.getOrDefault(chain.name(), List.of());
      if (!equal(chain, there)) {
        batch.flushChain(chain.name());
        addRules(batch, chain);
        if (chains.containsKey(chain.name())) {
          preview.accept(() -> "~ chain " + describe(chain));
        }
        differences++;
        missing += hasAll(chain, there) ? 0 : 1;
      }
    }
    repairElements(batch, sets);
    unwantedChains.forEach(batch::flushChain);
  }

  private void build(Batch batch) {
    differences++;
    missing++;
    preview.accept(() -> "+ table " + place());
    wanted
        .sets()
        .keySet()
        .forEach(name ->
            preview.accept(() -> "+ " + noun(name) + " " + place() + " " + name + elements(name)));
    wantedChains.values().forEach(chain -> preview.accept(() -> "+ chain " + describe(chain)));
    batch.addTable(TableMark.TEXT);
    wanted.sets().forEach((name, type) -> batch.addSet(type.spec(name, wanted.family())));
    wantedChains
        .values()
        .forEach(chain -> batch.addChain(chain.name(), chain.hook(), chain.comment()));
    wantedChains.values().forEach(chain -> addRules(batch, chain));
    wanted
        .entries()
        .forEach((set, entries) -> batch.addElements(set, shared.distinct(set, entries)));
  }

  /** Whether something of ours exists in a form that cannot be changed, only recreated. */
  private boolean isForeign(Map<String, SetInfo> sets, Map<String, ChainInfo> chains) {
    boolean otherSet =
        wanted.sets().entrySet().stream()
            .anyMatch(entry -> {
              SetInfo there = sets.get(entry.getKey());
              return there != null
                  && !there.fits(entry.getValue().spec(entry.getKey(), wanted.family()));
            });
    return otherSet
        || wantedChains.values().stream()
            .anyMatch(chain -> {
              ChainInfo there = chains.get(chain.name());
              return there != null && (there.drops() || !there.hook().equals(chain.hook()));
            });
  }

  private boolean equal(Chain chain, List<RuleInfo> there) {
    if (chain.rules().size() != there.size()) {
      return false;
    }
    for (int i = 0; i < chain.rules().size(); i++) {
      if (!isSame(chain.rules().get(i), there.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Whether the rules of a chain are there, in their order, others beside them or not. */
  private boolean hasAll(Chain chain, List<RuleInfo> there) {
    int found = 0;
    for (RuleInfo rule : there) {
      if (found < chain.rules().size() && isSame(chain.rules().get(found), rule)) {
        found++;
      }
    }
    return found == chain.rules().size();
  }

  private boolean isSame(Rule rule, RuleInfo there) {
    return there.comment().equals(rule.comment()) && there.does(rule.encode(wanted.family()));
  }

  private void repairElements(Batch batch, Map<String, SetInfo> existing) {
    Map<String, List<Element>> missing = new HashMap<>();
    wanted
        .entries()
        .forEach((set, entries) -> {
          SetType type = Objects.requireNonNull(wanted.sets().get(set));
          if (type.timeoutSeconds() > 0) {
            return;
          }
          Collection<Element> elements = shared.distinct(set, entries);
          SetInfo there = existing.get(set);
          ElementDifference difference =
              there == null
                  ? ElementDifference.ofNew(elements)
                  : ElementDifference.of(kernel, wanted.family(), there, type, elements);
          describe(set, entries, difference);
          differences += difference.size();
          this.missing += difference.lacking().size();
          difference.remove(batch, set);
          missing.put(set, difference.lacking());
        });
    missing.forEach(batch::addElements);
  }

  private void describe(String set, List<Entry> entries, ElementDifference difference) {
    if (!previewing) {
      return;
    }
    if (difference.unknown() > 0) {
      preview.accept(() -> "~ elements " + place() + " " + set + elements(set));
      return;
    }
    Set<ElementKey> known = new HashSet<>();
    difference.replaced().forEach(element -> known.add(ElementKey.of(element)));
    Set<ElementKey> missing = new HashSet<>();
    difference.lacking().forEach(element -> missing.add(ElementKey.of(element)));
    for (Entry entry : entries) {
      ElementKey key = ElementKey.of(entry.element());
      if (missing.remove(key)) {
        String sign = known.contains(key) ? "~" : "+";
        preview.accept(
            () -> sign + " element " + place() + " " + set + " { " + entry.text() + " }");
      }
    }
    difference
        .surplus()
        .forEach(element ->
            preview.accept(() ->
                "- element "
                    + place()
                    + " "
                    + set
                    + " { "
                    + (element.comment().isEmpty() ? element : element.comment())
                    + " }"));
  }

  private String describe(Chain chain) {
    int rules = chain.rules().size();
    return place() + " " + chain.name() + ": " + Counted.of(rules, "rule");
  }

  private String elements(String set) {
    int count = FamilyTable.byKey(wanted.entries().getOrDefault(set, List.of())).size();
    return count == 0 ? "" : ": " + Counted.of(count, "element");
  }

  private String noun(String set) {
    SetType type = wanted.sets().get(set);
    return type != null && type.value() instanceof SetType.Value.Nothing ? "set" : "map";
  }

  private String place() {
    return family.word() + " " + kernel.name();
  }

  private void addRules(Batch batch, Chain chain) {
    for (Rule rule : chain.rules()) {
      batch.addRule(chain.name(), rule.encode(wanted.family()), rule.comment());
    }
  }
}
