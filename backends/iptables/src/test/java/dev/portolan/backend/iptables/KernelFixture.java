package dev.portolan.backend.iptables;

import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.source.file.Manifests;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;

/** A backend at work on a real kernel, for each test in a namespace of its own. */
abstract class KernelFixture {
  final Brain brain = new Brain(warning -> {});
  final TestNamespace namespace = new TestNamespace();
  Variant variant = Variant.NFT;
  IptablesBackend backend = backend();
  NodeView view = brain.open("worker-1", NodeSettings.DEFAULT);
  NodeImage applied = NodeImage.unsynced("worker-1");

  @AfterEach
  void close() {
    backend.close();
    namespace.close();
  }

  IptablesBackend backend() {
    return new IptablesBackend(options());
  }

  IptablesOptions options() {
    return IptablesOptions.DEFAULT.with(variant).in(namespace.path());
  }

  void use(Variant chosen) {
    variant = chosen;
    backend = backend();
  }

  void open(NodeSettings settings) {
    view = brain.open("worker-1", settings);
    applied = NodeImage.unsynced("worker-1");
  }

  /** Applies the example cluster. */
  void load() {
    ClusterImage wanted = Manifests.read(Path.of("../../examples/shop")).image();
    brain.apply(wanted);
    sync();
  }

  /** Takes two services, and the endpoints of a third, away from the example cluster. */
  void change() {
    brain.apply(
        ClusterDelta.builder()
            .removeService(new NamespacedName("shop", "cart"))
            .removeService(new NamespacedName("shop", "storefront"))
            .removeSlice(new NamespacedName("shop", "web-h7v5p"))
            .build());
    sync();
  }

  void sync() {
    NodeImage image = view.image();
    backend.sync(NodeChange.between(applied, image));
    applied = image;
  }

  /** Looks whether all is there, and repairs what is not; says what was missing. */
  String audit() {
    return backend.audit(applied).cause();
  }

  Saved saved(IpFamily family) {
    return Saved.read(variant, family, namespace::run);
  }

  String restore(String text) {
    return namespace.runWithInput(
        text, Saved.program(variant, IpFamily.IPV4, "restore"), "--noflush");
  }

  String iptables(String... words) {
    String[] all = new String[words.length + 1];
    all[0] = variant == Variant.NFT ? "iptables-nft" : "iptables-legacy";
    System.arraycopy(words, 0, all, 1, words.length);
    return namespace.run(all);
  }
}
