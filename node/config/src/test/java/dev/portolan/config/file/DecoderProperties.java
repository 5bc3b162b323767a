package dev.portolan.config.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.fields.Settings;
import dev.portolan.config.fields.SettingsSource;
import dev.portolan.config.finding.ConfigException;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.config.gates.KubeVersion;
import dev.portolan.config.gates.Platform;
import dev.portolan.config.validation.Validator;
import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Gen;
import dev.portolan.testbase.Property;
import java.util.random.RandomGenerator;

/** Whatever is in a file, reading it gives a configuration or sentences. */
class DecoderProperties {
  Gen<Settings> settings() {
    return Gen.oneOf(
        SettingsSource.of(ConfigVersion.V1ALPHA1), SettingsSource.of(ConfigVersion.V1ALPHA2));
  }

  /** Where to cut, how much, and what to put there. */
  Gen<Mutation> mutation() {
    Gen<Double> places = Gen.oneOf(Gen.of(0.0, 1.0), RandomGenerator::nextDouble);
    Gen<String> texts =
        Gen.oneOf(
            Gen.of(
                "",
                "\t",
                "\n",
                ": ",
                "- ",
                "&a ",
                "*a",
                "---\n",
                "...\n",
                "!!int ",
                "{",
                "[",
                "}",
                "]",
                "\"",
                "'",
                "|",
                ">",
                "<<: ",
                "? ",
                "%",
                "\u0000",
                "\ud800",
                "null",
                "99999999999999999999",
                "1e999",
                "\ufeff",
                "@",
                "`"),
            Gen.texts(0, 4));
    return random -> new Mutation(places.next(random), random.nextInt(6), texts.next(random));
  }

  record Mutation(double at, int cut, String put) {
    String apply(String text) {
      int start = (int) (at * text.length());
      int end = Math.min(text.length(), start + cut);
      return text.substring(0, start) + put + text.substring(end);
    }
  }

  @Property(tries = 1500)
  void aMutatedFileIsReadOrRefusedInWords(
      @ForAll("settings") Settings settings,
      @ForAll("mutation") Mutation one,
      @ForAll("mutation") Mutation two) {
    check(two.apply(one.apply(SettingsWriter.nonDefaults(settings))));
  }

  @Property(tries = 300)
  void anyTextIsReadOrRefusedInWords(@ForAll String text) {
    check(text);
  }

  private static void check(String text) {
    try {
      ConfigFile file = ConfigFile.read("f", text);
      FeatureGates gates = FeatureGates.defaults(KubeVersion.CURRENT);
      assertThat(Validator.check(file.written(), Platform.LINUX, gates)).isNotNull();
    } catch (ConfigException e) {
      assertThat(e.errors()).isNotEmpty().allMatch(error -> error.place() != null);
      assertThat(e.getMessage()).startsWith("f:");
    }
  }
}
