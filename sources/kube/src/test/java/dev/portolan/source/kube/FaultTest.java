package dev.portolan.source.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.ServiceCidr;
import dev.portolan.core.error.Failures;
import dev.portolan.source.kube.FakeApiServer.Failure;
import dev.portolan.source.kube.wire.JsonFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever goes wrong, in the end a source has what a fresh look at the server would give. */
class FaultTest {
  private static final NamespacedName WEB = new NamespacedName("shop", "web");

  @AutoClose
  private final FakeApiServer server =
      FakeApiServer.start()
          .put(Samples.service("web", 1))
          .put(Samples.service("stays", 3))
          .put(Samples.slice("web", "10.1.0.4", "10.1.0.5"))
          .put(Samples.node("n1", "192.168.0.1"))
          .put(new ServiceCidr("kubernetes", List.of("10.96.0.0/16")));

  /** Something new, something different, something gone. */
  private void change() {
    server
        .put(Samples.service("api", 2))
        .put(Samples.slice("web", "10.1.0.9"))
        .delete(ObjectRef.service(WEB));
  }

  private void awaitFaults(Follower follower) {
    follower.await("the failure happened", () -> !server.hasFaults());
  }

  @ParameterizedTest
  @EnumSource(value = Failure.class, names = "STATUS", mode = EnumSource.Mode.EXCLUDE)
  void aWatchThatFails(Failure failure) {
    try (Follower follower = Follower.of(server).watching()) {
      server.bookmark();
      follower.await("bookmarks", () -> follower.state("services").age().isPresent());
      server.failWatch("services", failure).failWatch("endpointslices", failure);
      awaitFaults(follower);
      change();
      follower.settle();
    }
  }

  @ParameterizedTest
  @EnumSource(value = Failure.class, names = "STATUS", mode = EnumSource.Mode.EXCLUDE)
  void aWatchThatFailsInJson(Failure failure) {
    try (Follower follower =
        Follower.of(server, Follower.options(JsonFormat.TYPE, Follower.FAST)).watching()) {
      server.bookmark();
      server.failWatch("services", failure).failWatch("endpointslices", failure);
      awaitFaults(follower);
      change();
      follower.settle();
    }
  }

  @ParameterizedTest
  @EnumSource(value = Failure.class, names = "STATUS", mode = EnumSource.Mode.EXCLUDE)
  void aStartThatFails(Failure failure) {
    server.failWatch("services", failure).failWatch("nodes", failure);
    try (Follower follower = Follower.of(server)) {
      follower.await("the failure happened", () -> !server.hasFaults());
      change();
      follower.settle();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Failure.class,
      names = {"STATUS", "ERROR"},
      mode = EnumSource.Mode.EXCLUDE)
  void aListThatFails(Failure failure) {
    server.failList("services", failure).failList("endpointslices", failure);
    try (Follower follower = Follower.of(server)) {
      awaitFaults(follower);
      change();
      follower.settle();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 409, 410, 422, 429, 500, 503, 504})
  void aWatchThatIsRefused(int code) {
    try (Follower follower = Follower.of(server).watching()) {
      server.refuseWatch("services", code, 0).refuseWatch("services", code, 0);
      change();
      awaitFaults(follower);
      follower.settle();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 409, 410, 422, 429, 500, 503, 504})
  void aListThatIsRefused(int code) {
    server.refuseList("services", code, 0).refuseList("nodes", code, 0);
    try (Follower follower = Follower.of(server)) {
      awaitFaults(follower);
      change();
      follower.settle();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {410, 429, 500})
  void anErrorInAWatch(int code) {
    try (Follower follower = Follower.of(server).watching()) {
      server.errorInWatch("services", code).errorInWatch("endpointslices", code);
      awaitFaults(follower);
      change();
      follower.settle();
    }
  }

  @Test
  void whatHappenedWhileTheServerWasAwayIsNoticed() {
    try (Follower follower = Follower.of(server).watching()) {
      server.stop();
      change();
      server.startAgain();
      follower.settle();
    }
  }

  @Test
  void whatHappenedLongAgoIsNoticedToo() {
    try (Follower follower = Follower.of(server).watching()) {
      server.stop();
      change();
      server.compact();
      server.startAgain();
      follower.settle();
      // Neither an empty state in between, nor a repetition of what was known.
      List<ClusterDelta> later = follower.transactions().subList(1, follower.transactions().size());
      assertThat(later)
          .noneMatch(it -> it.services().containsKey(new NamespacedName("shop", "stays")))
          .allMatch(it -> it.nodes().isEmpty() && it.serviceCidrs().isEmpty());
    }
  }

  @Test
  void aServerThatLostItsMemoryIsReadAgain() {
    try (Follower follower = Follower.of(server).watching()) {
      server.stop();
      server.restore(2);
      server.put(Samples.service("old", 7)).put(Samples.service("web", 1));
      server.startAgain();
      follower.settle();
      server.put(Samples.service("new", 8));
      follower.settle();
    }
  }

  @Test
  void aLastingOutageIsToldOnceAndItsEndToo() {
    try (Follower follower = Follower.of(server).watching()) {
      server.stop();
      follower.await(
          "some attempts",
          () ->
              List.of("services", "endpointslices", "nodes", "servicecidrs").stream()
                  .allMatch(it -> follower.state(it).errors() > 3));
      server.startAgain();
      change();
      server.put(Samples.node("n1", "192.168.0.3"));
      server.put(new ServiceCidr("more", List.of("10.97.0.0/16")));
      follower.settle();
      follower.await(
          "the end is reported",
          () -> follower.reports().getLast().contains(" answers again after "));
      follower.await("and to the sink in its own way", () -> follower.recoveries() > 0);
      assertThat(follower.reports().stream().distinct()).hasSameSizeAs(follower.reports());
      assertThat(follower.reports().size()).isLessThan(8);
    }
  }

  @Test
  void whatNobodyExpectsIsCountedToldAndTriedAgain() {
    try (Follower follower = Follower.of(server).watching()) {
      long before = Failures.ofProcess().counts().getOrDefault("watch", 0L);
      follower.throwNext(5);
      server.put(Samples.service("api", 2));
      follower.settle();
      follower.await("the end is told", () -> follower.recoveries() > 0);
      assertThat(Failures.ofProcess().counts().get("watch")).isGreaterThanOrEqualTo(before + 5);
      assertThat(follower.reports())
          .first()
          .isEqualTo(
              server.address()
                  + ": services: unexpected failure: java.lang.StackOverflowError: a test;"
                  + " retrying, with the last known state in effect [PORT-500]");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "401, answers the request to list services with 401: the test wants it; check the credentials",
    "503, answers the request to list services with 503: the test wants it"
  })
  void aRefusalIsExplained(int code, String sentence) {
    server.refuseList("services", code, 0).refuseList("services", code, 0);
    try (Follower follower = Follower.of(server).settle()) {
      assertThat(follower.reports())
          .first()
          .isEqualTo(
              server.address() + " " + sentence + "; retrying, with no state yet [PORT-203]");
      follower.await(
          "the end is reported", () -> follower.reports().getLast().contains("answers again"));
    }
  }

  @Test
  void aMissingPermissionIsExplained() {
    server.refuseList("services", 403, 0).refuseList("services", 403, 0);
    try (Follower follower = Follower.of(server).settle()) {
      assertThat(follower.reports())
          .first()
          .asString()
          .contains("list services with 403")
          .contains("bind this client to the ClusterRole system:node-proxier");
    }
  }

  @Test
  void aBusyServerIsLeftAloneForAsLongAsItAsks() {
    try (Follower follower = Follower.of(server).watching()) {
      int refused = server.arrivals("watch services").size();
      server.refuseWatch("services", 429, 1);
      awaitFaults(follower);
      change();
      follower.settle();
      List<Long> watches = server.arrivals("watch services");
      assertThat(watches.get(refused + 1) - watches.get(refused))
          .isGreaterThanOrEqualTo(TimeUnit.SECONDS.toNanos(1));
    }
  }
}
