package dev.portolan.source.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.Source;
import dev.portolan.source.kube.wire.ReceivedObject;
import dev.portolan.source.kube.wire.Resource;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a watch hands over, and what it goes on from. */
class ObjectCacheTest {
  private static final Resource<NamespacedName, Service> SERVICES = Resource.services();

  private final ClusterCache cluster = new ClusterCache(new Nowhere(), Set.of());
  private final ProblemLog problems = new ProblemLog("server", cluster, () -> 0);

  @Test
  void whatIsHeldIsTheVeryMapThatGrows() {
    ObjectCache<NamespacedName, Service> listed =
        ObjectCache.empty(SERVICES, cluster.objects(SERVICES), problems);
    for (int i = 0; i < 100; i++) {
      put(listed, i, 10);
    }
    cluster.replace(SERVICES, listed.objects(), "1");
    ObjectCache<NamespacedName, Service> again =
        ObjectCache.empty(SERVICES, cluster.objects(SERVICES), problems);
    for (int i = 0; i < 101; i++) {
      put(again, i, 10);
    }
    for (int i = 0; i < 50; i++) {
      put(again, i, 20);
      cluster.replace(SERVICES, again.objects(), "2");
      assertThat(cluster.objects(SERVICES).isIdenticalTo(again.objects())).isTrue();
    }
  }

  private static void put(ObjectCache<NamespacedName, Service> cache, int number, int address) {
    Service service = Samples.service("s" + number, address);
    cache.put(new ReceivedObject<>(service.name(), service, "1", null));
  }

  private static final class Nowhere implements Source.Sink {
    @Override
    public void apply(ClusterImage image) {}

    @Override
    public void report(String sentence) {}
  }
}
