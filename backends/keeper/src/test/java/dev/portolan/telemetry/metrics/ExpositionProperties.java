package dev.portolan.telemetry.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Gen;
import dev.portolan.testbase.ParsedText;
import dev.portolan.testbase.Property;
import java.util.List;
import java.util.Map;

/** Whatever is measured, the text can be read, and says what was measured. */
final class ExpositionProperties {
  Gen<String> awkward() {
    String letters = "ab\\n\"\n\r{},= #é\u2028\t";
    return Gen.texts(Gen.integers(0, letters.length() - 1).map(letters::charAt), 0, 12);
  }

  @Property(tries = 500)
  void textsSurvive(
      @ForAll("awkward") String help,
      @ForAll("awkward") String one,
      @ForAll("awkward") String two) {
    MetricRegistry registry = new MetricRegistry();
    Family<Counter> counters = registry.counters("some_total", help, "first", "second");
    counters.with(one, two).add(3);
    counters.with(two + "x", one).add(4);

    ParsedText.Parsed family = ParsedText.parse(registry.text()).get("some_total");
    assertThat(family.help()).isEqualTo(help);
    assertThat(family.samples())
        .contains(
            new ParsedText.Sample("some_total", Map.of("first", one, "second", two), 3),
            new ParsedText.Sample("some_total", Map.of("first", two + "x", "second", one), 4));
  }

  @Property(tries = 500)
  void numbersSurvive(@ForAll double number) {
    MetricRegistry registry = new MetricRegistry();
    registry.gauges("some", "").with().set(number);
    registry.read(MetricType.GAUGE, "read", "", List.of("a"), samples -> samples.add(number, "b"));

    Map<String, ParsedText.Parsed> families = ParsedText.parse(registry.text());
    assertThat(families.get("some").only()).isEqualTo(number);
    assertThat(families.get("read").only()).isEqualTo(number);
  }

  @Property(tries = 200)
  void histogramsCountWhatIsAtMostTheirBounds(@ForAll List<Integer> thousandths) {
    MetricRegistry registry = new MetricRegistry();
    Histogram histogram =
        registry.histograms("some", "", Buckets.of(-1, 0, 0.0005, 1, 1000)).with();
    double sum = 0;
    for (int value : thousandths) {
      histogram.observe(value / 1e3);
      sum += value / 1e3;
    }

    ParsedText.Parsed family = ParsedText.parse(registry.text()).get("some");
    for (double bound : new double[] {-1, 0, 0.0005, 1, 1000}) {
      long expected = thousandths.stream().filter(value -> value / 1e3 <= bound).count();
      assertThat(family.at("_bucket", "le=" + Exposition.plain(bound)))
          .isEqualTo((double) expected);
    }
    assertThat(family.at("_count", "")).isEqualTo(thousandths.size());
    assertThat(family.at("_sum", "")).isEqualTo(sum);
  }

  Gen<String> names() {
    return Gen.of("", "1a", "a-b", "a b", "a\n", "é", "a{", "a:b");
  }

  @Property
  void aNameThatCannotBeReadIsRefused(@ForAll("names") String name) {
    MetricRegistry registry = new MetricRegistry();
    assertThat(
            refusals(
                () -> registry.gauges(name, "").with(), () -> registry.gauges("good", "", name)))
        .isEqualTo(2);
    assertThat(registry.text()).isEmpty();
  }

  private static int refusals(Runnable... attempts) {
    int refused = 0;
    for (Runnable attempt : attempts) {
      try {
        attempt.run();
      } catch (IllegalArgumentException e) {
        refused++;
      }
    }
    return refused;
  }
}
