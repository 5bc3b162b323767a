package dev.portolan.testbase;

/** Files that tests compare with what the program says now. */
public final class Golden {
  /**
   * Whether {@code -Dupdate} asks tests to rewrite these files. They write what the program says,
   * not what is right; git shows what has changed.
   */
  public static final boolean UPDATE = System.getProperty("update") != null;

  private Golden() {}
}
