package dev.portolan.cli;

/** The version of this program. */
final class OwnVersion {
  private OwnVersion() {}

  /** As the build wrote it into the program. */
  static String text() {
    String version = OwnVersion.class.getPackage().getImplementationVersion();
    return version == null ? "(not packaged)" : version;
  }
}
