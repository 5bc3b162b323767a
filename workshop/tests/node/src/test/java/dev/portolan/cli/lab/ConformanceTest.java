package dev.portolan.cli.lab;

import dev.portolan.cli.daemon.Daemon;
import dev.portolan.conformance.Conformance;
import dev.portolan.conformance.Exercise;
import dev.portolan.conformance.Program;
import dev.portolan.conformance.Sizes;
import dev.portolan.lab.Lab;
import dev.portolan.testbase.AtNight;
import dev.portolan.testbase.NeedsKernel;
import dev.portolan.testbase.RepositoryRoot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code portolan run --api} goes through the conformance kit: the backends that run in the process
 * of a brain elsewhere run in one of their own here. A process takes a second to start, so it is
 * some of the exercises; {@code ./dev conformance} has all.
 */
@AtNight
@NeedsKernel(tools = "ip")
final class ConformanceTest {
  private static final Set<String> PACKETS =
      Set.of(
          "packets-cluster-ip",
          "packets-external-local",
          "packets-nodeports-all",
          "traffic-under-churn");
  private static final Set<String> STREAMS = Set.of("cut-in-change", "server-restart");
  private static final Path KEEP = RepositoryRoot.resolve("examples/exec/keep.py").toAbsolutePath();

  @TempDir private static Path folder;
  private static Lab lab;

  @BeforeAll
  static void build() {
    lab = Lab.open();
  }

  @AfterAll
  static void tearDown() throws Exception {
    Closing.all(lab);
  }

  @TestFactory
  Stream<DynamicTest> nftablesSendsEachPacketWhereItBelongs() {
    return tests(Conformance.of(run("--backend=nftables")).with(Sizes.SMALL).packets(lab), PACKETS);
  }

  @TestFactory
  Stream<DynamicTest> aProgramBehindExecFollows() {
    Path state = folder.resolve("state");
    Program program =
        run("--backend=exec", "--exec-mode=incremental", "--", KEEP.toString(), state.toString());
    return tests(
        Conformance.of(program.withDump("cat " + state)).with(Sizes.SMALL).overTheApi(), STREAMS);
  }

  private static Program run(String... options) {
    List<String> words = new ArrayList<>(Daemon.program());
    words.addAll(List.of("run", "--api={api}", "--node={node}"));
    words.addAll(List.of(options));
    return Program.of(words);
  }

  private static Stream<DynamicTest> tests(List<Exercise> exercises, Set<String> chosen) {
    return exercises.stream()
        .filter(exercise -> chosen.contains(exercise.name()))
        .map(exercise -> DynamicTest.dynamicTest(exercise.name(), exercise::check));
  }
}
