package dev.portolan.config.fields;

import dev.portolan.testbase.Gen;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Settings with any values that their types allow, some at the edges. */
public final class SettingsSource {
  private static final Gen<String> TEXTS =
      Gen.oneOf(
          Gen.of("", "a", "10.0.0.0/8", "true", "null", "7", "0x1", "- a", "a: b", "#", "y"),
          Gen.texts(random -> (char) random.nextInt(' ', 0x180), 0, 12),
          Gen.of("\ud83d\ude00", "\u0085\u2028\ufeff", "\t\n\r\\\""));
  private static final Gen<Duration> DURATIONS =
      Gen.oneOf(
          Gen.of(Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(30)),
          Gen.longs(-Long.MAX_VALUE, Long.MAX_VALUE).map(Duration::ofNanos));
  private static final Gen<String> IPS = Gen.of("0.0.0.0", "::", "10.0.0.1", "fd00::1", "nonsense");
  private static final Gen<Boolean> TRUTHS = Gen.of(true, false);
  private static final Gen<Long> UNSIGNED = Gen.longs(0, 0xffffffffL);
  private static final Gen<Float> FLOATS =
      Gen.oneOf(
          Gen.of(0f, 1f, -1f, 0.01f, Float.MIN_VALUE, Float.MAX_VALUE, -Float.MAX_VALUE),
          // Without one bit the exponent is not that of infinity.
          random -> Float.intBitsToFloat(random.nextInt() & ~(1 << 23)));

  private SettingsSource() {}

  public static Gen<Settings> of(ConfigVersion version) {
    Map<String, Gen<?>> fields = new TreeMap<>();
    for (String path : FieldTable.paths(version)) {
      fields.put(path, values(version, path));
    }
    return random -> {
      Map<String, Object> values = new TreeMap<>();
      fields.forEach((path, gen) -> {
        if (random.nextDouble() > 0.4) {
          values.put(path, gen.next(random));
        }
      });
      return Settings.of(version, values);
    };
  }

  private static Gen<?> values(ConfigVersion version, String path) {
    return switch (path) {
      case "mode" -> Gen.of("", "iptables", "ipvs", "nftables", "kernelspace", "x");
      case "bindAddress" -> IPS;
      case "nodeIPOverride" -> IPS.lists(0, 3);
      case "healthzBindAddress", "metricsBindAddress" ->
          Gen.of("", "0.0.0.0", "[::]:10256", "[::1]:10249", "127.0.0.1:1", "x");
      case "clusterCIDR" -> Gen.of("", "10.0.0.0/8", "10.0.0.0/8, fd00::/8", ",");
      case "detectLocal.clusterCIDRs" -> Gen.of("10.0.0.0/8", "fd00::/8", "x").lists(0, 3);
      default -> byType(FieldTable.row(version, path).type(version));
    };
  }

  private static Gen<?> byType(FieldType type) {
    return switch (type) {
      case TEXT -> TEXTS;
      case TRUTH -> TRUTHS;
      case INT32 -> Gen.integers(Integer.MIN_VALUE, Integer.MAX_VALUE);
      case UINT32 -> UNSIGNED;
      case FLOAT32 -> FLOATS;
      case DURATION, NANOSECONDS -> DURATIONS;
      case QUANTITY -> Gen.of("0", "64Ki", "1.5M", "7");
      case TEXTS -> TEXTS.lists(0, 3);
      case GATES -> gates();
      case VMODULE -> vmodule().lists(0, 2);
    };
  }

  private static Gen<Map<String, Boolean>> gates() {
    Gen<List<String>> names = TEXTS.lists(0, 3);
    return random -> {
      Map<String, Boolean> gates = new TreeMap<>();
      names.next(random).forEach(name -> gates.put(name, TRUTHS.next(random)));
      return gates;
    };
  }

  private static Gen<VmoduleItem> vmodule() {
    return random -> new VmoduleItem(TEXTS.next(random), UNSIGNED.next(random));
  }
}
