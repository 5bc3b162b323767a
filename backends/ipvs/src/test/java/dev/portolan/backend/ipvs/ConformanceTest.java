package dev.portolan.backend.ipvs;

import dev.portolan.conformance.Conformance;
import dev.portolan.conformance.Sizes;
import dev.portolan.lab.Lab;
import dev.portolan.testbase.AtNight;
import dev.portolan.testbase.NeedsVm;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The backend behind a connection. The packet tables are not for it as they are: {@link
 * PacketsTest} has them with what is different in mode ipvs.
 */
@AtNight
@NeedsVm
class ConformanceTest {
  private static final Sizes SIZES = new Sizes(20, 50, 50, Duration.ofMinutes(2));

  @AutoClose private static Lab lab;

  @BeforeAll
  static void build() {
    lab = Lab.open();
  }

  @TestFactory
  Stream<DynamicTest> itFollowsEveryStream() {
    return Conformance.of(() -> new IpvsBackend(IpvsOptions.DEFAULT))
        .with(SIZES)
        .in(lab.node())
        .overTheApi()
        .stream()
        .filter(exercise -> !exercise.name().startsWith("packets-"))
        .map(exercise -> DynamicTest.dynamicTest(exercise.name(), exercise::check));
  }
}
