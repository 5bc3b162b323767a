package dev.portolan.core.collection;

import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable sorted map whose versions share all that is equal between them.
 *
 * <p>It is a treap: a search tree by key that is at the same time a heap by a number drawn from the
 * key's hash. Two properties follow, and the rest of Portolan leans on both. The tree's shape
 * depends on its keys alone and not on the order in which they came, so two versions of a map have
 * the same shape where they hold the same keys. And a change copies only the path from the root, so
 * untouched subtrees are the very same objects. Together they let {@link #diff} skip whatever two
 * versions share: its cost follows the number of differences, not the size of the maps.
 *
 * <p>The numbers are salted once per process, so that no client can choose names that unbalance the
 * tree.
 */
public final class PersistentMap<K extends Comparable<? super K>, V>
    implements Iterable<Map.Entry<K, V>> {
  private static final int SALT = ThreadLocalRandom.current().nextInt();
  private static final PersistentMap<?, ?> EMPTY = new PersistentMap<String, Object>(null);

  private final @Nullable Tree<K, V> root;

  private PersistentMap(@Nullable Tree<K, V> root) {
    this.root = root;
  }

  /** The map without entries. */
  @SuppressWarnings("unchecked") // an empty map has no key or value of any type
  public static <K extends Comparable<? super K>, V> PersistentMap<K, V> empty() {
    return (PersistentMap<K, V>) EMPTY;
  }

  /** The value under {@code key}, or null. */
  public @Nullable V get(K key) {
    Tree<K, V> tree = root;
    while (tree != null) {
      int order = key.compareTo(tree.key);
      if (order == 0) {
        return tree.value;
      }
      tree = order < 0 ? tree.left : tree.right;
    }
    return null;
  }

  /** Whether there is a value under {@code key}. */
  public boolean containsKey(K key) {
    return get(key) != null;
  }

  /** This map with {@code value} under {@code key}; the same map if an equal value is there. */
  public PersistentMap<K, V> with(K key, V value) {
    return of(union(root, leaf(key, value)));
  }

  /** This map without {@code key}; the same map if the key is not there. */
  public PersistentMap<K, V> without(K key) {
    return of(remove(root, key));
  }

  /** This map with {@code value} under {@code key}, or without the key where the value is null. */
  public PersistentMap<K, V> put(K key, @Nullable V value) {
    return value == null ? without(key) : with(key, value);
  }

  /**
   * This map after all of {@code changes}, where an empty one removes its key. Many at once cost
   * much less than one after the other.
   */
  public PersistentMap<K, V> edited(Map<K, Optional<V>> changes) {
    return edited(changes.entrySet());
  }

  /** The same for changes that are not in a map; each key is among them once. */
  public PersistentMap<K, V> edited(Collection<Map.Entry<K, Optional<V>>> changes) {
    Tree<K, V> kept = root;
    List<Tree<K, V>> leaves = new ArrayList<>(changes.size());
    for (Map.Entry<K, Optional<V>> change : changes) {
      if (change.getValue().isPresent()) {
        leaves.add(leaf(change.getKey(), change.getValue().get()));
      } else {
        kept = remove(kept, change.getKey());
      }
    }
    leaves.sort((one, other) -> one.key.compareTo(other.key));
    return of(union(kept, tree(leaves, 0, leaves.size())));
  }

  /** The number of entries. */
  public int size() {
    return root == null ? 0 : root.size;
  }

  /** Whether there is no entry. */
  public boolean isEmpty() {
    return root == null;
  }

  /** Whether this is the very same version: nothing changed on the way from one to the other. */
  public boolean isIdenticalTo(PersistentMap<K, V> other) {
    return root == other.root;
  }

  /** The entries of this map, made from {@code older}: the very same map if nothing differs. */
  public PersistentMap<K, V> sharing(PersistentMap<K, V> older) {
    if (older.isEmpty()) {
      return this;
    }
    AtomicReference<PersistentMap<K, V>> made = new AtomicReference<>(older);
    older.diff(this, (key, before, after) -> made.set(made.get().put(key, after)));
    return made.get();
  }

  /** Hands every entry to {@code action}, in the order of the keys. */
  public void forEach(BiConsumer<? super K, ? super V> action) {
    for (Map.Entry<K, V> entry : this) {
      action.accept(entry.getKey(), entry.getValue());
    }
  }

  /** Tells {@code visitor} each key whose value differs between this map and {@code newer}. */
  public void diff(PersistentMap<K, V> newer, DiffVisitor<? super K, ? super V> visitor) {
    diff(root, newer.root, visitor);
  }

  /** Told of each difference between two maps, in the order of the keys. */
  @FunctionalInterface
  public interface DiffVisitor<K, V> {
    /** {@code before} is null for an addition, {@code after} is null for a removal. */
    void visit(K key, @Nullable V before, @Nullable V after);
  }

  @Override
  public Iterator<Map.Entry<K, V>> iterator() {
    return new InOrder<>(root);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    if (this == other) {
      return true;
    }
    if (!(other instanceof PersistentMap<?, ?> map) || map.size() != size()) {
      return false;
    }
    Iterator<? extends Map.Entry<?, ?>> theirs = map.iterator();
    for (Map.Entry<K, V> ours : this) {
      if (!ours.equals(theirs.next())) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (Map.Entry<K, V> entry : this) {
      hash = 31 * hash + entry.hashCode();
    }
    return hash;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("{");
    forEach((key, value) ->
        text.append(text.length() > 1 ? ", " : "").append(key).append('=').append(value));
    return text.append('}').toString();
  }

  private PersistentMap<K, V> of(@Nullable Tree<K, V> changed) {
    if (changed == root) {
      return this;
    }
    return changed == null ? empty() : new PersistentMap<>(changed);
  }

  private static int priority(Object key) {
    int mixed = (key.hashCode() ^ SALT) * 0x9e3779b9;
    mixed = (mixed ^ mixed >>> 15) * 0x85ebca6b;
    return mixed ^ mixed >>> 13;
  }

  private static <K, V> Tree<K, V> leaf(K key, V value) {
    return new Tree<>(key, value, priority(key), null, null);
  }

  /** One tree of leaves from one place up to another; their keys are in order. */
  private static <K, V> @Nullable Tree<K, V> tree(List<Tree<K, V>> leaves, int from, int to) {
    if (from == to) {
      return null;
    }
    int top = from;
    for (int i = from + 1; i < to; i++) {
      if (leaves.get(i).priority > leaves.get(top).priority) {
        top = i;
      }
    }
    Tree<K, V> leaf = leaves.get(top);
    return to - from == 1 ? leaf : leaf.with(tree(leaves, from, top), tree(leaves, top + 1, to));
  }

  /** All entries of two trees, the newer one's where both have a key. */
  private static <K extends Comparable<? super K>, V> @Nullable Tree<K, V> union(
      @Nullable Tree<K, V> older, @Nullable Tree<K, V> newer) {
    if (older == null || newer == null) {
      return older == null ? newer : older;
    }
    if (above(newer.key, newer.priority, older)) {
      return newer.with(
          union(below(older, newer.key), newer.left), union(beyond(older, newer.key), newer.right));
    }
    boolean both = older.priority == newer.priority && older.key.equals(newer.key);
    Tree<K, V> left = union(older.left, both ? newer.left : below(newer, older.key));
    Tree<K, V> right = union(older.right, both ? newer.right : beyond(newer, older.key));
    if (both && !older.value.equals(newer.value)) {
      return newer.with(left, right);
    }
    return left == older.left && right == older.right ? older : older.with(left, right);
  }

  private static <K extends Comparable<? super K>, V> @Nullable Tree<K, V> remove(
      @Nullable Tree<K, V> tree, K key) {
    if (tree == null) {
      return null;
    }
    int order = key.compareTo(tree.key);
    if (order == 0) {
      return join(tree.left, tree.right);
    }
    if (order < 0) {
      Tree<K, V> left = remove(tree.left, key);
      return left == tree.left ? tree : tree.with(left, tree.right);
    }
    Tree<K, V> right = remove(tree.right, key);
    return right == tree.right ? tree : tree.with(tree.left, right);
  }

  /**
   * One tree of two, where every key of {@code left} is smaller than every key of {@code right}.
   */
  private static <K extends Comparable<? super K>, V> @Nullable Tree<K, V> join(
      @Nullable Tree<K, V> left, @Nullable Tree<K, V> right) {
    if (left == null) {
      return right;
    }
    if (right == null) {
      return left;
    }
    return above(left.key, left.priority, right)
        ? left.with(left.left, join(left.right, right))
        : right.with(join(left, right.left), right.right);
  }

  /** The part of {@code tree} whose keys are smaller than {@code key}. */
  private static <K extends Comparable<? super K>, V> @Nullable Tree<K, V> below(
      @Nullable Tree<K, V> tree, K key) {
    if (tree == null) {
      return null;
    }
    if (tree.key.compareTo(key) >= 0) {
      return below(tree.left, key);
    }
    Tree<K, V> right = below(tree.right, key);
    return right == tree.right ? tree : tree.with(tree.left, right);
  }

  /** The part of {@code tree} whose keys are greater than {@code key}. */
  private static <K extends Comparable<? super K>, V> @Nullable Tree<K, V> beyond(
      @Nullable Tree<K, V> tree, K key) {
    if (tree == null) {
      return null;
    }
    if (tree.key.compareTo(key) <= 0) {
      return beyond(tree.right, key);
    }
    Tree<K, V> left = beyond(tree.left, key);
    return left == tree.left ? tree : tree.with(left, tree.right);
  }

  private static <K extends Comparable<? super K>, V> void diff(
      @Nullable Tree<K, V> older,
      @Nullable Tree<K, V> newer,
      DiffVisitor<? super K, ? super V> visitor) {
    if (older == newer) {
      return;
    }
    if (older == null || (newer != null && above(newer.key, newer.priority, older))) {
      Tree<K, V> added = Objects.requireNonNull(newer);
      diff(below(older, added.key), added.left, visitor);
      visitor.visit(added.key, null, added.value);
      diff(beyond(older, added.key), added.right, visitor);
    } else if (newer == null || above(older.key, older.priority, newer)) {
      diff(older.left, below(newer, older.key), visitor);
      visitor.visit(older.key, older.value, null);
      diff(older.right, beyond(newer, older.key), visitor);
    } else {
      diff(older.left, newer.left, visitor);
      if (!older.value.equals(newer.value)) {
        visitor.visit(older.key, older.value, newer.value);
      }
      diff(older.right, newer.right, visitor);
    }
  }

  /** Whether an entry belongs above {@code tree} in the heap; equal numbers go by key. */
  private static <K extends Comparable<? super K>, V> boolean above(
      K key, int priority, Tree<K, V> tree) {
    return priority != tree.priority ? priority > tree.priority : key.compareTo(tree.key) < 0;
  }

  private static final class Tree<K, V> {
    final K key;
    final V value;
    final int priority;
    final int size;
    final @Nullable Tree<K, V> left;
    final @Nullable Tree<K, V> right;

    Tree(K key, V value, int priority, @Nullable Tree<K, V> left, @Nullable Tree<K, V> right) {
      this.key = key;
      this.value = value;
      this.priority = priority;
      this.size = 1 + (left == null ? 0 : left.size) + (right == null ? 0 : right.size);
      this.left = left;
      this.right = right;
    }

    Tree<K, V> with(@Nullable Tree<K, V> newLeft, @Nullable Tree<K, V> newRight) {
      return new Tree<>(key, value, priority, newLeft, newRight);
    }
  }

  private static final class InOrder<K, V> implements Iterator<Map.Entry<K, V>> {
    private final Deque<Tree<K, V>> path = new ArrayDeque<>();

    InOrder(@Nullable Tree<K, V> root) {
      descend(root);
    }

    private void descend(@Nullable Tree<K, V> tree) {
      for (Tree<K, V> next = tree; next != null; next = next.left) {
        path.push(next);
      }
    }

    @Override
    public boolean hasNext() {
      return !path.isEmpty();
    }

    @Override
    public Map.Entry<K, V> next() {
      Tree<K, V> tree = path.pop(); // It throws where there is no next one.
      descend(tree.right);
      return new SimpleImmutableEntry<>(tree.key, tree.value);
    }
  }
}
