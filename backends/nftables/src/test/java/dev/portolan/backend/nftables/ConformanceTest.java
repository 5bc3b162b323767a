package dev.portolan.backend.nftables;

import dev.portolan.conformance.Conformance;
import dev.portolan.conformance.Sizes;
import dev.portolan.lab.Lab;
import dev.portolan.testbase.NeedsKernel;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The backend behind a connection: the class that {@link PacketsTest} has in its own process. */
@NeedsKernel(tools = "ip")
class ConformanceTest {
  @AutoClose private static Lab lab;

  @BeforeAll
  static void build() {
    lab = Lab.open();
  }

  @TestFactory
  Stream<DynamicTest> itFollowsEveryStream() {
    return Conformance.of(() -> new NftablesBackend(NftablesOptions.DEFAULT))
        .with(Sizes.SMALL)
        .in(lab.node())
        .overTheApi()
        .stream()
        .map(exercise -> DynamicTest.dynamicTest(exercise.name(), exercise::check));
  }
}
