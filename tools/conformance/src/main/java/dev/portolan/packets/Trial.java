package dev.portolan.packets;

import dev.portolan.core.error.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** Hands the rows of a table to a judge, several at a time, and compares. */
public final class Trial {
  private static final int AT_ONCE = 12;

  private Trial() {}

  /**
   * How a table went.
   *
   * @param judged how many rows were judged
   * @param failures rows whose outcome is not the expected one, each with its place
   * @param skipped rows that cannot be judged on this machine, each with the reason
   */
  public record Report(int judged, List<String> failures, List<String> skipped) {
    public Report {
      failures = List.copyOf(failures);
      skipped = List.copyOf(skipped);
    }

    /** Throws an AssertionError with all failures, if there are any. */
    public void orThrow() {
      if (!failures.isEmpty()) {
        throw new AssertionError(String.join("\n", failures));
      }
    }
  }

  /** Judges every row of {@code table}. */
  public static Report run(PacketTable table, Judge judge) {
    List<String> failures = new ArrayList<>();
    List<String> skipped = new ArrayList<>();
    List<Packet> sticky = new ArrayList<>();
    List<Packet> others = new ArrayList<>();
    try (Judge.Sitting sitting = judge.open(table)) {
      for (Packet packet : table.packets()) {
        String obstacle = sitting.obstacle(packet);
        if (!obstacle.isEmpty()) {
          skipped.add(packet.place() + ": " + packet.route() + ": " + obstacle);
        } else {
          (packet.expected().sticky() ? sticky : others).add(packet);
        }
      }
      // The first packets of a client with affinity must not race each other.
      judge(sitting, sticky, 1, failures);
      judge(sitting, others, AT_ONCE, failures);
    }
    return new Report(sticky.size() + others.size(), failures, skipped);
  }

  private static void judge(
      Judge.Sitting sitting, List<Packet> packets, int atOnce, List<String> failures) {
    try (ExecutorService executor = Threads.platform("trial").pool(atOnce)) {
      List<Future<String>> verdicts = new ArrayList<>();
      packets.forEach(packet -> verdicts.add(executor.submit(() -> failure(sitting, packet))));
      for (Future<String> verdict : verdicts) {
        String failure = verdict.get();
        if (!failure.isEmpty()) {
          failures.add(failure);
        }
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static String failure(Judge.Sitting sitting, Packet packet) {
    String actual;
    try {
      Outcome outcome = sitting.judge(packet);
      if (outcome.agreesWith(packet.expected())) {
        return "";
      }
      actual = outcome.toString();
    } catch (RuntimeException e) {
      actual = "crashed: " + e;
    }
    return packet.place()
        + ": "
        + packet.route()
        + "\n    expected "
        + packet.expected()
        + "\n    but got  "
        + actual;
  }
}
