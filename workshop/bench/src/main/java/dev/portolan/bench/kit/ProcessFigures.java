package dev.portolan.bench.kit;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a running process uses, as the kernel counts it. */
public record ProcessFigures(long pid) {
  private static final double TICKS_A_SECOND = 100;

  /** This process. */
  public static ProcessFigures self() {
    return new ProcessFigures(ProcessHandle.current().pid());
  }

  /** Megabytes that are resident now. */
  public double residentSize() throws IOException {
    return status("VmRSS:");
  }

  /** Megabytes that were resident at most. */
  public double peakSize() throws IOException {
    return status("VmHWM:");
  }

  private double status(String key) throws IOException {
    return Files.readAllLines(file("status")).stream()
        .filter(line -> line.startsWith(key))
        .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) * 1024 / 1e6)
        .findFirst()
        .orElseThrow();
  }

  /** Processor time of the process and of the programs that it ran. */
  public double processorSeconds() throws IOException {
    String stat = Files.readString(file("stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    long ticks = 0;
    for (int i = 11; i < 15; i++) {
      ticks += Long.parseLong(fields[i]);
    }
    return ticks / TICKS_A_SECOND;
  }

  /** The time that the kernel has worked for the thread that asks. */
  public static double systemSecondsOfThread() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return (threads.getCurrentThreadCpuTime() - threads.getCurrentThreadUserTime()) / 1e9;
  }

  /** The processor time of the thread that asks, its own and the kernel's. */
  public static double processorSecondsOfThread() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9;
  }

  private Path file(String name) {
    return Path.of("/proc", Long.toString(pid), name);
  }
}
