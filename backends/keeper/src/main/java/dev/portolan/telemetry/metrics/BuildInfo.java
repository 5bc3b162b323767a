package dev.portolan.telemetry.metrics;

/**
 * What was built, from what, for what; with the labels that Kubernetes programs show.
 *
 * @param major the Kubernetes release whose behaviour this is: {@code 1}
 * @param minor its second number
 * @param gitVersion the version of this program
 * @param runtime what runs it, in the label that else has the version of Go
 */
public record BuildInfo(
    String major,
    String minor,
    String gitVersion,
    String gitCommit,
    String gitTreeState,
    String buildDate,
    String runtime,
    String compiler,
    String platform) {
  /** A build of which no more is known than these. */
  public static BuildInfo of(String major, String minor, String version) {
    return new BuildInfo(
        major,
        minor,
        version,
        "",
        "",
        "",
        "java" + Runtime.version().feature(),
        "javac",
        System.getProperty("os.name", "").equals("Linux")
            ? "linux/" + architecture()
            : System.getProperty("os.name", "") + "/" + architecture());
  }

  private static String architecture() {
    String name = System.getProperty("os.arch", "");
    return name.equals("aarch64") ? "arm64" : name;
  }
}
