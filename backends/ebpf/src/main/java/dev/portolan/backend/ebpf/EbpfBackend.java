package dev.portolan.backend.ebpf;

import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.bpf.BpfException;
import dev.portolan.core.backend.Audit;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.backend.ConnectedSocket;
import dev.portolan.core.backend.ConnectedSockets;
import dev.portolan.core.backend.Upkeep;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.error.Threads;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The whole {@link NftablesBackend}, and on top of it socket load balancing: a socket that connects
 * to a service is connected to an endpoint, and no packet of it ever shows the service's address.
 *
 * <p>Where the kernel does not take the programs, nftables serves everything; {@link #obstacle}
 * says why. Each full sync tries again.
 */
public final class EbpfBackend implements Backend {
  private static final Duration WATCH_PERIOD = Duration.ofSeconds(1);

  private final EbpfOptions options;
  private final NftablesBackend nftables;
  private final Consumer<Optional<String>> told;
  private volatile @Nullable SocketBalancer sockets;
  private boolean behind;
  private volatile Optional<String> obstacle = Optional.empty();
  private volatile int entries;
  private volatile boolean translating;

  /** Opens a connection to the kernel; nothing is written yet. */
  public EbpfBackend(EbpfOptions options) {
    this(options, false, why -> {});
  }

  /**
   * The same.
   *
   * @param force whether tables of our name are taken over regardless of who made them
   * @param obstacles called whenever {@link #obstacle} changes
   */
  public EbpfBackend(EbpfOptions options, boolean force, Consumer<Optional<String>> obstacles) {
    this.options = options;
    this.told = obstacles;
    this.nftables =
        force
            ? NftablesBackend.forced(options.nftables())
            : new NftablesBackend(options.nftables());
  }

  /** The rules beside the sockets. */
  public NftablesBackend nftables() {
    return nftables;
  }

  /**
   * Why sockets are not translated and nftables does it all, as a sentence; empty where they are.
   * Any thread may ask.
   */
  public Optional<String> obstacle() {
    return obstacle;
  }

  /** Whether sockets are translated by what this process has written. Any thread may ask. */
  public boolean isTranslating() {
    return translating;
  }

  /** How many entries the maps of services, slots and members have. Any thread may ask. */
  public int entries() {
    return entries;
  }

  /**
   * What a sync of a new process to {@code image} would change, one line per object: a sign, and
   * the rule, the link or the address of a service. Nothing is written.
   */
  public List<String> preview(NodeImage image) {
    return withSockets(image, nftables.preview(image));
  }

  /** The same, ignoring whether traffic is counted. */
  public List<String> drift(NodeImage image) {
    return withSockets(image, nftables.drift(image));
  }

  private List<String> withSockets(NodeImage image, List<String> rules) {
    List<String> lines = new ArrayList<>(rules);
    Optional<String> refused = refusal(options);
    if (refused.isEmpty()) {
      attempt(() -> lines.addAll(SocketPreview.of(image, options.folder())));
    } else {
      say(refused.map(EbpfBackend::without));
    }
    return lines;
  }

  /** Whether programs or maps for this network namespace are pinned, by any process. */
  public static boolean isPresent(EbpfOptions options) {
    return Pins.of(options).areOurs();
  }

  /**
   * Detaches what this backend left, and removes its maps; rules stay. For backends that serve the
   * node from now on: otherwise sockets would still be sent to old endpoints.
   */
  public static void removeSockets(EbpfOptions options) {
    attempt(() -> {
      Pins pins = Pins.of(options);
      if (pins.areOurs()) {
        pins.remove();
      }
    });
  }

  /**
   * Why this host cannot translate sockets, as a sentence; empty where it can. The kernel gets the
   * programs, and nothing is attached.
   */
  public static Optional<String> refusal(EbpfOptions options) {
    try {
      SocketKernel.probe(options);
      return Optional.empty();
    } catch (BpfException
        | UncheckedIOException
        | IllegalStateException
        | UnsupportedOperationException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void sync(NodeChange change) {
    NodeChange toDo = behind ? change.inFull() : change;
    behind = true;
    nftables.sync(toDo);
    balance(toDo);
    behind = false;
  }

  private void balance(NodeChange change) {
    SocketBalancer working = sockets;
    if (working != null) {
      attempt(() -> working.sync(change));
      entries = working.entries();
    } else if (change.isFull()) {
      start(change);
    }
  }

  /** Starts, or gives up until the next full sync; then nothing of ours translates sockets. */
  private void start(NodeChange change) {
    SocketBalancer opened = null;
    try {
      opened = new SocketBalancer(SocketKernel.open(options));
      opened.sync(change);
      sockets = opened;
      entries = opened.entries();
      say(Optional.empty());
    } catch (BpfException
        | UncheckedIOException
        | IllegalStateException
        | UnsupportedOperationException e) {
      if (opened != null) {
        opened.close();
      }
      entries = 0;
      removeSockets(options);
      say(Optional.of(without(String.valueOf(e.getMessage()))));
    }
  }

  private static String without(String cause) {
    return "sockets are not translated, nftables does it all: " + cause;
  }

  private void say(Optional<String> now) {
    boolean other = !now.equals(obstacle);
    translating = now.isEmpty();
    obstacle = now;
    if (other) {
      told.accept(now);
    }
  }

  @Override
  public Audit audit(NodeImage applied) {
    Audit rules = nftables.audit(applied);
    SocketBalancer working = sockets;
    if (working == null) {
      // What was missing may be there by now.
      start(NodeChange.to(applied));
      return rules;
    }
    tidy();
    int[] repaired = new int[1];
    attempt(() -> repaired[0] = working.reconcile(applied));
    entries = working.entries();
    int all = rules.repaired() + repaired[0];
    return all == 0 ? Audit.CLEAN : new Audit(all, rules.missing() + repaired[0], rules.cause());
  }

  @Override
  public void tidy() {
    nftables.tidy();
    SocketBalancer working = sockets;
    if (working != null) {
      attempt(working::tidy);
      entries = working.entries();
    }
  }

  private static void attempt(Runnable call) {
    try {
      call.run();
    } catch (BpfException | UncheckedIOException e) {
      throw new BackendException(ErrorCode.RULES_REJECTED, "ebpf: " + e.getMessage(), e);
    }
  }

  /** Not where sockets are still translated by what an earlier process has pinned. */
  @Override
  public boolean isBlank() {
    return nftables.isBlank() && !isPresent(options);
  }

  @Override
  public Upkeep upkeep() {
    return nftables.upkeep();
  }

  @Override
  public boolean usesConntrack() {
    return nftables.usesConntrack();
  }

  @Override
  public Optional<ConnectedSockets> connectedSockets() {
    return Optional.of(
        new ConnectedSockets() {
          @Override
          public List<ConnectedSocket> all() {
            List<ConnectedSocket> found = new ArrayList<>();
            SocketBalancer working = sockets;
            if (working != null) {
              attempt(() -> found.addAll(working.connected()));
            }
            return found;
          }

          @Override
          public void forget(Collection<ConnectedSocket> closed) {
            SocketBalancer working = sockets;
            if (working != null) {
              attempt(() -> working.forget(closed));
            }
          }
        });
  }

  /**
   * The kernel does not report that another program removed links or pins; so they are checked
   * every second. What is in the maps is for the regular audit.
   */
  @Override
  public Watch watch(Consumer<String> suspicions) {
    Watch ofRules = nftables.watch(suspicions);
    Thread ofSockets =
        Threads.platform("ebpf-watch").lasting().start(() -> watchSockets(suspicions));
    return () -> {
      ofSockets.interrupt();
      ofRules.close();
    };
  }

  private void watchSockets(Consumer<String> suspicions) throws InterruptedException {
    while (true) {
      Thread.sleep(WATCH_PERIOD);
      SocketBalancer working = sockets;
      if (working != null && working.isDamaged()) {
        suspicions.accept("another program detached or unpinned what translates sockets");
      }
    }
  }

  /** First the sockets: what they do not translate any more, the rules still serve. */
  @Override
  public void cleanup() {
    SocketBalancer working = sockets;
    sockets = null;
    if (working != null) {
      working.close();
    }
    removeSockets(options);
    nftables.cleanup();
  }

  @Override
  public void close() {
    SocketBalancer working = sockets;
    sockets = null;
    if (working != null) {
      working.close();
    }
    nftables.close();
  }
}
