package dev.portolan.backend.windows.hcn;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * The calls of HCN in {@code computenetwork.dll}, and the only place that sees native memory.
 *
 * <p>Every function returns an HRESULT and may write a text about an error, which counts as one
 * even where the HRESULT does not. Texts that HNS returns are ours to free.
 */
public final class ComputeNetwork implements HcnCalls {
  private static final int NOT_IMPLEMENTED = 0x80004001;
  private static final Linker LINKER = Linker.nativeLinker();

  private final SymbolLookup network;
  private final MethodHandle free;
  private final MethodHandle hnsCall;
  private final MethodHandle createEndpoint;
  private final MethodHandle createLoadBalancer;
  private final Optional<MethodHandle> modifyLoadBalancer;
  private final Map<Kind, Functions> functions = new EnumMap<>(Kind.class);

  /** What can be done with every kind. */
  private record Functions(
      Kind kind,
      MethodHandle enumerate,
      MethodHandle open,
      MethodHandle query,
      MethodHandle close,
      MethodHandle delete) {}

  /** An object that is open. */
  private record Handle(Functions of, MemorySegment value) implements AutoCloseable {
    @Override
    public void close() {
      invoke("HcnClose" + of.kind(), () -> (int) of.close().invokeExact(value));
    }
  }

  /** A call into native code. */
  @FunctionalInterface
  private interface Call {
    int make() throws Throwable;
  }

  /**
   * Loads the libraries.
   *
   * @throws BackendException where this is not Windows, or it has no HNS
   */
  public ComputeNetwork() {
    network = library("computenetwork.dll");
    free =
        link(function(library("ole32.dll"), "CoTaskMemFree"), FunctionDescriptor.ofVoid(ADDRESS));
    hnsCall = handle(library("vmcompute.dll"), "HNSCall", 4);
    createEndpoint = handle(network, "HcnCreateEndpoint", 5);
    createLoadBalancer = handle(network, "HcnCreateLoadBalancer", 4);
    modifyLoadBalancer = network.find("HcnModifyLoadBalancer").map(found -> handle(found, 3));
    for (Kind kind : Kind.values()) {
      functions.put(
          kind,
          new Functions(
              kind,
              handle(network, "HcnEnumerate" + kind + "s", 3),
              handle(network, "HcnOpen" + kind, 3),
              handle(network, "HcnQuery" + kind + "Properties", 4),
              handle(network, "HcnClose" + kind, 1),
              handle(network, "HcnDelete" + kind, 2)));
    }
  }

  @SuppressWarnings("restricted") // calling Windows is what this class is for
  private static SymbolLookup library(String name) {
    try {
      return SymbolLookup.libraryLookup(name, Arena.global());
    } catch (IllegalArgumentException e) {
      boolean windows = System.getProperty("os.name", "").startsWith("Windows");
      throw new BackendException(
          ErrorCode.HOST,
          windows
              ? name
                  + " cannot be loaded: this Windows has no Host Network Service; install the"
                  + " feature Containers, and restart"
              : "backend windows needs Windows, and this is " + System.getProperty("os.name"),
          e);
    }
  }

  private static MemorySegment function(SymbolLookup library, String name) {
    return library
        .find(name)
        .orElseThrow(() ->
            new BackendException(
                ErrorCode.HOST,
                "this Windows has no function "
                    + name
                    + ", so its Host Network Service is too old; Windows Server 2019 is the oldest"
                    + " that works"));
  }

  private static MethodHandle handle(SymbolLookup library, String name, int parameters) {
    return handle(function(library, name), parameters);
  }

  /** All of them take addresses, and return an HRESULT. */
  private static MethodHandle handle(MemorySegment function, int parameters) {
    MemoryLayout[] addresses = new MemoryLayout[parameters];
    Arrays.fill(addresses, ADDRESS);
    return link(function, FunctionDescriptor.of(JAVA_INT, addresses));
  }

  @SuppressWarnings("restricted") // as above
  private static MethodHandle link(MemorySegment function, FunctionDescriptor descriptor) {
    return LINKER.downcallHandle(function, descriptor);
  }

  @Override
  public String version() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment answer = arena.allocate(ADDRESS);
      MemorySegment method = text(arena, "GET");
      MemorySegment path = text(arena, "/globals/version");
      MemorySegment nothing = text(arena, "");
      check(
          "HNSCall",
          invoke("HNSCall", () -> (int) hnsCall.invokeExact(method, path, nothing, answer)),
          "");
      return taken(answer);
    }
  }

  @Override
  public String enumerate(Kind kind, String query) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment words = text(arena, query);
      MemorySegment found = arena.allocate(ADDRESS);
      MethodHandle enumerate = functions(kind).enumerate();
      run(
          "HcnEnumerate" + kind + "s",
          arena,
          error -> (int) enumerate.invokeExact(words, found, error));
      return taken(found);
    }
  }

  @Override
  public String properties(Kind kind, UUID id, String query) {
    try (Arena arena = Arena.ofConfined();
        Handle handle = open(arena, kind, id)) {
      return properties(arena, handle, query);
    }
  }

  @Override
  public String createEndpoint(UUID networkId, UUID id, String settings, String query) {
    try (Arena arena = Arena.ofConfined();
        Handle in = open(arena, Kind.NETWORK, networkId)) {
      MemorySegment guid = guid(arena, id);
      MemorySegment words = text(arena, settings);
      MemorySegment made = arena.allocate(ADDRESS);
      run(
          "HcnCreateEndpoint",
          arena,
          error -> (int) createEndpoint.invokeExact(in.value(), guid, words, made, error));
      try (Handle handle = new Handle(functions(Kind.ENDPOINT), made.get(ADDRESS, 0))) {
        return properties(arena, handle, query);
      }
    }
  }

  @Override
  public String createLoadBalancer(UUID id, String settings, String query) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment guid = guid(arena, id);
      MemorySegment words = text(arena, settings);
      MemorySegment made = arena.allocate(ADDRESS);
      run(
          "HcnCreateLoadBalancer",
          arena,
          error -> (int) createLoadBalancer.invokeExact(guid, words, made, error));
      try (Handle handle = new Handle(functions(Kind.LOAD_BALANCER), made.get(ADDRESS, 0))) {
        return properties(arena, handle, query);
      }
    }
  }

  @Override
  public String modifyLoadBalancer(UUID id, String settings, String query) {
    MethodHandle modify =
        modifyLoadBalancer.orElseThrow(() ->
            new HcnException("HcnModifyLoadBalancer", NOT_IMPLEMENTED, "not in this Windows"));
    try (Arena arena = Arena.ofConfined();
        Handle handle = open(arena, Kind.LOAD_BALANCER, id)) {
      MemorySegment words = text(arena, settings);
      run(
          "HcnModifyLoadBalancer",
          arena,
          error -> (int) modify.invokeExact(handle.value(), words, error));
      return properties(arena, handle, query);
    }
  }

  @Override
  public void delete(Kind kind, UUID id) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment guid = guid(arena, id);
      MethodHandle delete = functions(kind).delete();
      run("HcnDelete" + kind, arena, error -> (int) delete.invokeExact(guid, error));
    }
  }

  private Functions functions(Kind kind) {
    return Objects.requireNonNull(functions.get(kind));
  }

  private Handle open(Arena arena, Kind kind, UUID id) {
    Functions of = functions(kind);
    MemorySegment guid = guid(arena, id);
    MemorySegment opened = arena.allocate(ADDRESS);
    run("HcnOpen" + kind, arena, error -> (int) of.open().invokeExact(guid, opened, error));
    return new Handle(of, opened.get(ADDRESS, 0));
  }

  private String properties(Arena arena, Handle handle, String query) {
    MemorySegment words = text(arena, query);
    MemorySegment answer = arena.allocate(ADDRESS);
    MethodHandle ask = handle.of().query();
    run(
        "HcnQuery" + handle.of().kind() + "Properties",
        arena,
        error -> (int) ask.invokeExact(handle.value(), words, answer, error));
    return taken(answer);
  }

  /** A call whose last parameter is a place for a text about an error. */
  @FunctionalInterface
  private interface Checked {
    int make(MemorySegment error) throws Throwable;
  }

  private void run(String name, Arena arena, Checked call) {
    MemorySegment error = arena.allocate(ADDRESS);
    int result = invoke(name, () -> call.make(error));
    check(name, result, taken(error));
  }

  private static int invoke(String name, Call call) {
    try {
      return call.make();
    } catch (Throwable e) {
      throw new IllegalStateException(name + " could not be called", e);
    }
  }

  private static void check(String function, int result, String error) {
    if (result < 0 || !error.isEmpty()) {
      throw new HcnException(function, result, error);
    }
  }

  private static MemorySegment text(Arena arena, String text) {
    return arena.allocateFrom(text, StandardCharsets.UTF_16LE);
  }

  /** The text that {@code place} points to, whose memory is given back; empty for none. */
  @SuppressWarnings("restricted") // how long the text is, only its end says
  private String taken(MemorySegment place) {
    MemorySegment text = place.get(ADDRESS, 0);
    if (text.address() == 0) {
      return "";
    }
    String copy = text.reinterpret(Long.MAX_VALUE).getString(0, StandardCharsets.UTF_16LE);
    int _ =
        invoke(
            "CoTaskMemFree",
            () -> {
              free.invokeExact(text);
              return 0;
            });
    return copy;
  }

  /** A GUID in memory: its first three parts are numbers in the processor's order. */
  private static MemorySegment guid(Arena arena, UUID id) {
    MemorySegment guid = arena.allocate(16, 8);
    long high = id.getMostSignificantBits();
    guid.set(JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN), 0, (int) (high >>> 32));
    guid.set(JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN), 4, (short) (high >>> 16));
    guid.set(JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN), 6, (short) high);
    guid.set(JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN), 8, id.getLeastSignificantBits());
    return guid;
  }
}
