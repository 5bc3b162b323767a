package dev.portolan.demo;

import dev.portolan.lab.Actor;
import java.util.concurrent.CountDownLatch;

/** Leaves everything running, and says what one can do with it. */
final class Encore {
  private Encore() {}

  /** Waits until it is interrupted. */
  static void play(DemoStage stage, Page page) throws InterruptedException {
    String pod = stage.lab().at(Actor.POD_A3).name();
    String outside = stage.lab().at(Actor.OUTSIDE).name();
    String node = stage.lab().node().name();
    page.heading("Running until Ctrl-C");
    if (UserNamespace.isInside()) {
      page.text("In another terminal, first run:");
      page.line("     " + UserNamespace.door());
      page.gap();
    }
    page.text("A server answers with its name, its port, and the client address it saw:");
    page.line("     ip netns exec " + pod + " \\");
    page.line("       curl -s -m 1 --http0.9 10.96.0.10");
    page.line("     ip netns exec " + outside + " \\");
    page.line("       curl -s -m 1 --http0.9 203.0.113.10");
    page.text("To see why:");
    page.line("     ./portolan explain --from file:" + stage.manifests() + " \\");
    page.line("       --node worker-1 203.0.113.20:80 --client 198.51.100.10");
    page.text("The rules, and what happens when they are deleted:");
    page.line("     ip netns exec " + node + " nft list ruleset");
    page.line("     ip netns exec " + node + " nft delete table ip portolan");
    page.text("The manifests; every edit takes effect:");
    page.line("     ls " + stage.manifests());
    page.gap();
    new CountDownLatch(1).await();
  }
}
