package dev.portolan.source.kube;

import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.source.kube.FakeApiServer.Failure;
import dev.portolan.source.kube.wire.JsonFormat;
import dev.portolan.source.kube.wire.ProtobufFormat;
import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Property;
import java.util.List;
import java.util.Random;

/** Random changes and random failures: at the end the source has what the server has. */
class ChurnTest {
  private static final List<String> RESOURCES =
      List.of("services", "endpointslices", "nodes", "servicecidrs");
  private static final int STEPS = 60;

  @Property(tries = 8)
  void inTheEndAllIsKnown(@ForAll long seed) {
    Random random = new Random(seed);
    try (FakeApiServer server = FakeApiServer.start()) {
      String type = random.nextBoolean() ? ProtobufFormat.TYPE : JsonFormat.TYPE;
      change(server, random, 20);
      try (Follower follower = Follower.of(server, Follower.options(type, Follower.FAST))) {
        for (int step = 0; step < STEPS; step++) {
          step(server, random, follower);
        }
        follower.settle();
      }
    }
  }

  private static void step(FakeApiServer server, Random random, Follower follower) {
    String resource = RESOURCES.get(random.nextInt(RESOURCES.size()));
    switch (random.nextInt(20)) {
      case 0 -> server.failWatch(resource, failure(random));
      case 1 -> server.failList(resource, failure(random));
      case 2 -> server.refuseWatch(resource, random.nextBoolean() ? 410 : 500, 0);
      case 3 -> server.refuseList(resource, random.nextBoolean() ? 429 : 503, 0);
      case 4 -> server.compact();
      case 5 -> server.bookmark();
      case 6 -> {
        server.stop();
        change(server, random, 3);
        if (random.nextBoolean()) {
          server.compact();
        }
        server.startAgain();
      }
      case 7 -> follower.settle();
      default -> change(server, random, 1 + random.nextInt(4));
    }
  }

  /** A silent server is slow to test, so it comes less often. */
  private static Failure failure(Random random) {
    Failure failure = Samples.pick(Failure.values(), random);
    return failure == Failure.STATUS || (failure == Failure.SILENCE && random.nextInt(4) > 0)
        ? Failure.CUT
        : failure;
  }

  private static void change(FakeApiServer server, Random random, int count) {
    for (int i = 0; i < count; i++) {
      List<ObjectRef> refs = server.refs();
      if (!refs.isEmpty() && random.nextInt(3) == 0) {
        server.delete(refs.get(random.nextInt(refs.size())));
      } else {
        server.put(Samples.random(random));
      }
    }
  }
}
