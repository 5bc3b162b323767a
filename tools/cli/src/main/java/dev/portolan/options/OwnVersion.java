package dev.portolan.options;

/** The version of this program. */
public final class OwnVersion {
  private OwnVersion() {}

  /** As the build wrote it into the program. */
  public static String text() {
    String version = OwnVersion.class.getPackage().getImplementationVersion();
    return version == null ? "(not packaged)" : version;
  }
}
