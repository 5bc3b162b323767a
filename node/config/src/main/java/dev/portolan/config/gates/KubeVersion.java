package dev.portolan.config.gates;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A minor release of Kubernetes. */
public record KubeVersion(int major, int minor) implements Comparable<KubeVersion> {
  /** Today's release. */
  public static final KubeVersion CURRENT = new KubeVersion(1, 37);

  /** The oldest release that can be emulated. */
  public static final KubeVersion OLDEST = new KubeVersion(1, 20);

  /** The newest release for which it is known what changes. */
  public static final KubeVersion NEWEST = new KubeVersion(1, 46);

  private static final Pattern FORM = Pattern.compile("v?([0-9]{1,4})\\.([0-9]{1,4})(\\.[0-9]+)?");

  /** Reads {@code 1.37}, {@code v1.37} or {@code 1.37.2}. */
  public static Optional<KubeVersion> parse(String text) {
    Matcher form = FORM.matcher(text);
    return form.matches()
        ? Optional.of(
            new KubeVersion(Integer.parseInt(form.group(1)), Integer.parseInt(form.group(2))))
        : Optional.empty();
  }

  /** Reads a release that can be emulated. */
  public static Optional<KubeVersion> emulated(String text) {
    return parse(text).filter(release -> release.atLeast(OLDEST) && NEWEST.atLeast(release));
  }

  /** Whether this is {@code other} or newer. */
  public boolean atLeast(KubeVersion other) {
    return compareTo(other) >= 0;
  }

  @Override
  public int compareTo(KubeVersion other) {
    return major == other.major
        ? Integer.compare(minor, other.minor)
        : Integer.compare(major, other.major);
  }

  @Override
  public String toString() {
    return major + "." + minor;
  }
}
