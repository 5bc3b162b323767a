package dev.portolan.demo;

/** One part of the demo: it asks something of the cluster, and checks what happens. */
interface Act {
  /** Plays it. */
  void play(DemoStage stage, Page page) throws InterruptedException;
}
