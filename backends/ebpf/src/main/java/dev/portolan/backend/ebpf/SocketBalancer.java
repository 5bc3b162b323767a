package dev.portolan.backend.ebpf;

import static dev.portolan.backend.ebpf.SocketMap.MEMBERS;
import static dev.portolan.backend.ebpf.SocketMap.REVERSE;
import static dev.portolan.backend.ebpf.SocketMap.SERVICES;
import static dev.portolan.backend.ebpf.SocketMap.SLOTS;

import dev.portolan.backend.ebpf.MapContents.Numbers;
import dev.portolan.backend.ebpf.SocketTarget.Forwarded;
import dev.portolan.backend.ebpf.SocketTarget.Members;
import dev.portolan.backend.ebpf.SocketTarget.PoolName;
import dev.portolan.bpf.BpfMap;
import dev.portolan.core.backend.ConnectedSocket;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.ServiceChange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Keeps the maps equal to an image. A change is atomic for every socket that connects meanwhile:
 * the slots of a pool that differs are written under a new generation, then its services are
 * replaced, one step each, and the old slots go in a quiet moment. A program that reads an old
 * service then still finds its slots; if it is so late that it does not, nftables has an answer.
 */
final class SocketBalancer implements AutoCloseable {
  private static final int GROWTH = 4;

  private final SocketKernel kernel;
  private final Map<PoolName, Numbers> numbers = new HashMap<>();
  private final List<ByteBuffer> oldSlots = new ArrayList<>();
  private final Map<SocketMap, Integer> sizes = new EnumMap<>(SocketMap.class);
  private long lastGeneration;
  private int lastPool;
  private boolean known;
  private volatile boolean attached;

  SocketBalancer(SocketKernel kernel) {
    this.kernel = kernel;
  }

  /** Makes the maps equal to what {@code change} leads to. */
  void sync(NodeChange change) {
    if (!known || change.isFull() || change.factsChanged() || !write(change)) {
      var _ = reconcile(change.after());
    }
  }

  /** How many entries our maps have, those included that are to go. */
  int entries() {
    return sizes.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** What the programs have noted of sockets, closed ones included. */
  List<ConnectedSocket> connected() {
    return kernel.map(REVERSE).entries().entrySet().stream()
        .map(note -> Bytes.connected(note.getKey(), note.getValue()))
        .toList();
  }

  /** Removes notes of sockets that are closed. */
  void forget(Collection<ConnectedSocket> closed) {
    kernel.map(REVERSE).remove(closed.stream().map(Bytes::reverseKey).toList());
  }

  /** Removes slots that no service leads to any more. */
  void tidy() {
    if (!oldSlots.isEmpty()) {
      kernel.map(SLOTS).remove(oldSlots);
      sizes.merge(SLOTS, -oldSlots.size(), Integer::sum);
      oldSlots.clear();
    }
  }

  /** Whether links or pins are not as they were left; maps are not read. Any thread may ask. */
  boolean isDamaged() {
    return attached && kernel.damage() > 0;
  }

  /**
   * Compares all maps and links with {@code image}, and writes what differs.
   *
   * @return how much differed
   */
  int reconcile(NodeImage image) {
    known = false;
    SocketTable table = SocketTable.of(image);
    Map<SocketMap, Map<ByteBuffer, ByteBuffer>> there = new EnumMap<>(SocketMap.class);
    for (SocketMap map : List.of(SERVICES, SLOTS, MEMBERS)) {
      there.put(map, kernel.map(map).entries());
    }
    adopt(table, there);
    MapContents wanted = MapContents.of(table, this::numbered);
    boolean grown = false;
    for (SocketMap map : List.of(SERVICES, SLOTS, MEMBERS)) {
      if (wanted.of(map).size() * 2 > kernel.capacity(map)) {
        kernel.enlarge(map, Integer.highestOneBit(wanted.of(map).size()) * 2 * GROWTH);
        there.put(map, Map.of());
        grown = true;
      }
    }
    int differences = 0;
    for (SocketMap map : List.of(SLOTS, MEMBERS, SERVICES)) {
      differences += put(map, different(wanted.of(map), at(there, map)));
    }
    oldSlots.clear();
    for (SocketMap map : List.of(SERVICES, MEMBERS, SLOTS)) {
      List<ByteBuffer> gone =
          at(there, map).keySet().stream().filter(not(wanted.of(map).keySet())).toList();
      differences += gone.size();
      sizes.put(map, wanted.of(map).size() + (map == SLOTS ? gone.size() : 0));
      if (map == SLOTS) {
        oldSlots.addAll(gone);
      } else {
        kernel.map(map).remove(gone);
      }
    }
    if (!attached || grown) {
      kernel.attach();
      attached = true;
    } else {
      int damage = kernel.damage();
      if (damage > 0) {
        kernel.attach();
      }
      differences += damage;
    }
    known = true;
    return differences;
  }

  /** Writes what differs; false where a map has no room for it, or its number is not known. */
  private boolean write(NodeChange change) {
    SocketTable before = new SocketTable();
    SocketTable after = new SocketTable();
    for (ServiceChange service : change.services()) {
      before.add(service.before(), change.before().facts());
      after.add(service.after(), change.after().facts());
    }
    if (!numbers.keySet().containsAll(before.pools().keySet())) {
      return false;
    }
    MapContents old = MapContents.of(before, this::numbered);
    Map<PoolName, Numbers> renumbered = new HashMap<>();
    after
        .pools()
        .forEach((name, members) -> {
          Members its = before.pools().get(name);
          if (its == null || !its.chosen().equals(members.chosen())) {
            Numbers had = numbers.get(name);
            renumbered.put(
                name, new Numbers(++lastGeneration, had == null ? ++lastPool : had.pool()));
          }
        });
    MapContents wanted =
        MapContents.of(
            after, name -> renumbered.containsKey(name) ? at(renumbered, name) : numbered(name));
    if (!hasRoom(wanted, old)) {
      return false;
    }
    known = false;
    put(SLOTS, different(wanted.of(SLOTS), old.of(SLOTS)));
    put(MEMBERS, different(wanted.of(MEMBERS), old.of(MEMBERS)));
    put(SERVICES, different(wanted.of(SERVICES), old.of(SERVICES)));
    for (SocketMap map : List.of(SERVICES, MEMBERS, SLOTS)) {
      List<ByteBuffer> gone =
          old.of(map).keySet().stream().filter(not(wanted.of(map).keySet())).toList();
      long added = wanted.of(map).keySet().stream().filter(not(old.of(map).keySet())).count();
      sizes.merge(map, (int) added - (map == SLOTS ? 0 : gone.size()), Integer::sum);
      if (map == SLOTS) {
        oldSlots.addAll(gone);
      } else {
        kernel.map(map).remove(gone);
      }
    }
    before.pools().keySet().stream().filter(not(after.pools().keySet())).forEach(numbers::remove);
    numbers.putAll(renumbered);
    known = true;
    return true;
  }

  /** Old slots are removed early where there is no room otherwise. */
  private boolean hasRoom(MapContents wanted, MapContents old) {
    if (size(SLOTS) + wanted.of(SLOTS).size() > kernel.capacity(SLOTS)) {
      tidy();
    }
    for (SocketMap map : List.of(SERVICES, SLOTS, MEMBERS)) {
      long added = wanted.of(map).keySet().stream().filter(not(old.of(map).keySet())).count();
      if (size(map) + added > kernel.capacity(map)) {
        return false;
      }
    }
    return true;
  }

  private int size(SocketMap map) {
    return sizes.getOrDefault(map, 0);
  }

  /**
   * Gives every pool its numbers. Those that a process before us gave are found through the
   * services, and kept where they can be: then a restart writes nothing.
   */
  private void adopt(SocketTable table, Map<SocketMap, Map<ByteBuffer, ByteBuffer>> there) {
    numbers.keySet().retainAll(table.pools().keySet());
    for (ByteBuffer key : at(there, SLOTS).keySet()) {
      lastGeneration = Math.max(lastGeneration, Bytes.generation(key));
    }
    for (ByteBuffer key : at(there, MEMBERS).keySet()) {
      lastPool = Math.max(lastPool, Bytes.pool(key));
    }
    Map<PoolName, Numbers> found = new HashMap<>();
    table
        .frontends()
        .forEach((frontend, target) -> {
          ByteBuffer value = at(there, SERVICES).get(Bytes.serviceKey(frontend));
          if (value != null) {
            Bytes.Entry entry = Bytes.entry(value);
            lastGeneration = Math.max(lastGeneration, entry.generation());
            lastPool = Math.max(lastPool, entry.pool());
            if (!entry.isRefused() && target instanceof Forwarded(PoolName pool, int _)) {
              found.putIfAbsent(pool, new Numbers(entry.generation(), entry.pool()));
            }
          }
        });
    Set<Long> generations = new HashSet<>();
    Set<Integer> pools = new HashSet<>();
    numbers
        .values()
        .forEach(its -> {
          generations.add(its.generation());
          pools.add(its.pool());
        });
    Map<ByteBuffer, ByteBuffer> slots = at(there, SLOTS);
    table
        .pools()
        .forEach((name, members) -> {
          Numbers had = numbers.get(name);
          Numbers seen = found.get(name);
          int pool = had == null ? 0 : had.pool();
          long generation = had == null ? 0 : had.generation();
          if (had == null && seen != null) {
            pool = pools.add(seen.pool()) ? seen.pool() : 0;
            generation = generations.add(seen.generation()) ? seen.generation() : 0;
          }
          boolean same = generation != 0 && holds(slots, generation, members);
          numbers.put(
              name,
              new Numbers(same ? generation : ++lastGeneration, pool == 0 ? ++lastPool : pool));
        });
  }

  /** Whether the slots of a generation are those of these endpoints. */
  private static boolean holds(
      Map<ByteBuffer, ByteBuffer> slots, long generation, Members members) {
    return MapContents.slots(generation, members.chosen()).entrySet().stream()
        .allMatch(slot -> slot.getValue().equals(slots.get(slot.getKey())));
  }

  private Numbers numbered(PoolName name) {
    return Objects.requireNonNull(numbers.get(name), () -> "no numbers for " + name);
  }

  private int put(SocketMap map, Map<ByteBuffer, ByteBuffer> entries) {
    BpfMap open = kernel.map(map);
    open.put(entries);
    return entries.size();
  }

  /** The entries of {@code wanted} that {@code there} lacks or has with another value. */
  private static Map<ByteBuffer, ByteBuffer> different(
      Map<ByteBuffer, ByteBuffer> wanted, Map<ByteBuffer, ByteBuffer> there) {
    Map<ByteBuffer, ByteBuffer> different = new HashMap<>();
    wanted.forEach((key, value) -> {
      if (!value.equals(there.get(key))) {
        different.put(key, value);
      }
    });
    return different;
  }

  private static Predicate<Object> not(Set<?> known) {
    return key -> !known.contains(key);
  }

  private static <K, V> V at(Map<K, V> map, K key) {
    return Objects.requireNonNull(map.get(key));
  }

  @Override
  public void close() {
    kernel.close();
  }
}
