package dev.portolan.bench;

/** Runs the measurements named on the command line, or all of them. */
public final class Bench {
  private Bench() {}

  /** Prints what there is to measure. */
  public static void main(String[] args) {
    System.out.println("No measurement yet.");
  }
}
