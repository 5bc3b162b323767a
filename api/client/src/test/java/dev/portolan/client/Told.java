package dev.portolan.client;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Remembers what became of a connection. */
final class Told implements LinkListener {
  final BlockingQueue<String> events = new LinkedBlockingQueue<>();

  @Override
  public void connected() {
    events.add("connected");
  }

  @Override
  public void lost(String sentence) {
    events.add(sentence);
  }
}
