package dev.portolan.cli.lab;

/** The end of a test, also of one that failed before everything was open. */
final class Closing {
  private Closing() {}

  /** Closes one after the other, without those that were never opened. */
  static void all(AutoCloseable... resources) throws Exception {
    Exception first = null;
    for (AutoCloseable resource : resources) {
      try {
        if (resource != null) {
          resource.close();
        }
      } catch (Exception e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
