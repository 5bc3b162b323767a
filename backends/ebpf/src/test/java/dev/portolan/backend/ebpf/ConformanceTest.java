package dev.portolan.backend.ebpf;

import dev.portolan.bpf.BpfPlace;
import dev.portolan.conformance.Conformance;
import dev.portolan.conformance.Sizes;
import dev.portolan.lab.Lab;
import dev.portolan.testbase.NeedsKernel;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The backend behind a connection: the class that {@link PacketsTest} has in its own process. */
@NeedsKernel(tools = {"ip", "mount"})
class ConformanceTest {
  private static BpfPlace place;
  private static Lab lab;

  @BeforeAll
  static void build() {
    place = BpfPlace.make();
    lab = Lab.open();
  }

  @AfterAll
  static void tearDown() {
    lab.close();
    place.close();
  }

  @TestFactory
  Stream<DynamicTest> itFollowsEveryStream() {
    return Conformance.of(() ->
            new EbpfBackend(
                EbpfOptions.DEFAULT
                    .of(place.cgroup())
                    .pinnedTo(place.folder().resolve("portolan"))))
        .with(Sizes.SMALL)
        .in(lab.node())
        .overTheApi()
        .stream()
        .map(exercise -> DynamicTest.dynamicTest(exercise.name(), exercise::check));
  }
}
