package dev.portolan.config.fields;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Settings with any values that their types allow, some at the edges. */
public final class SettingsSource {
  private static final Arbitrary<String> TEXTS =
      Arbitraries.oneOf(
          Arbitraries.of(
              "", "a", "10.0.0.0/8", "true", "null", "7", "0x1", "- a", "a: b", "#", "y"),
          Arbitraries.strings().withCharRange(' ', '\u017f').ofMaxLength(12),
          Arbitraries.of("\ud83d\ude00", "\u0085\u2028\ufeff", "\t\n\r\\\""));
  private static final Arbitrary<Duration> DURATIONS =
      Arbitraries.oneOf(
          Arbitraries.of(Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(30)),
          Arbitraries.longs().greaterOrEqual(-Long.MAX_VALUE).map(Duration::ofNanos));
  private static final Arbitrary<String> IPS =
      Arbitraries.of("0.0.0.0", "::", "10.0.0.1", "fd00::1", "nonsense");

  private SettingsSource() {}

  public static Arbitrary<Settings> of(ConfigVersion version) {
    List<Arbitrary<Map.Entry<String, Object>>> entries = new ArrayList<>();
    for (String path : FieldTable.paths(version)) {
      Arbitrary<Object> values = values(version, path);
      entries.add(values.map(value -> Map.entry(path, value)).injectNull(0.4));
    }
    return Combinators.combine(entries)
        .as(list -> {
          Map<String, Object> values = new TreeMap<>();
          list.stream()
              .filter(entry -> entry != null)
              .forEach(entry -> values.put(entry.getKey(), entry.getValue()));
          return Settings.of(version, values);
        });
  }

  private static Arbitrary<Object> values(ConfigVersion version, String path) {
    return switch (path) {
      case "mode" -> any(Arbitraries.of("", "iptables", "ipvs", "nftables", "kernelspace", "x"));
      case "bindAddress" -> any(IPS);
      case "nodeIPOverride" -> any(IPS.list().ofMaxSize(3));
      case "healthzBindAddress", "metricsBindAddress" ->
          any(Arbitraries.of("", "0.0.0.0", "[::]:10256", "[::1]:10249", "127.0.0.1:1", "x"));
      case "clusterCIDR" -> any(Arbitraries.of("", "10.0.0.0/8", "10.0.0.0/8, fd00::/8", ","));
      case "detectLocal.clusterCIDRs" ->
          any(Arbitraries.of("10.0.0.0/8", "fd00::/8", "x").list().ofMaxSize(3));
      default -> byType(FieldTable.row(version, path).type(version));
    };
  }

  private static Arbitrary<Object> byType(FieldType type) {
    return switch (type) {
      case TEXT -> any(TEXTS);
      case TRUTH -> any(Arbitraries.of(true, false));
      case INT32 -> any(Arbitraries.integers());
      case UINT32 -> any(Arbitraries.longs().between(0, 0xffffffffL));
      case FLOAT32 -> any(Arbitraries.floats());
      case DURATION, NANOSECONDS -> any(DURATIONS);
      case QUANTITY -> any(Arbitraries.of("0", "64Ki", "1.5M", "7"));
      case TEXTS -> any(TEXTS.list().ofMaxSize(3));
      case GATES -> any(Arbitraries.maps(TEXTS, Arbitraries.of(true, false)).ofMaxSize(3));
      case VMODULE ->
          any(
              Combinators.combine(TEXTS, Arbitraries.longs().between(0, 0xffffffffL))
                  .as(VmoduleItem::new)
                  .list()
                  .ofMaxSize(2));
    };
  }

  private static Arbitrary<Object> any(Arbitrary<?> values) {
    return values.map(value -> (Object) value);
  }
}
