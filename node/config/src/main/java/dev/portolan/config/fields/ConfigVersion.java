package dev.portolan.config.fields;

import java.util.Optional;
import java.util.stream.Stream;

/** The versions of the configuration file. */
public enum ConfigVersion {
  V1ALPHA1("v1alpha1"),
  V1ALPHA2("v1alpha2");

  /** The kind of every configuration file. */
  public static final String KIND = "KubeProxyConfiguration";

  /** The group before the version. */
  public static final String GROUP = "kubeproxy.config.k8s.io";

  private final String label;

  ConfigVersion(String label) {
    this.label = label;
  }

  /** The version in whose shape the program holds its configuration. */
  public static ConfigVersion latest() {
    return V1ALPHA2;
  }

  /** The version with this {@code apiVersion}. */
  public static Optional<ConfigVersion> ofApi(String apiVersion) {
    return Stream.of(values()).filter(one -> one.apiVersion().equals(apiVersion)).findFirst();
  }

  /** What stands at {@code apiVersion:}. */
  public String apiVersion() {
    return GROUP + "/" + label;
  }

  /** The other version. */
  public ConfigVersion other() {
    return this == V1ALPHA1 ? V1ALPHA2 : V1ALPHA1;
  }

  @Override
  public String toString() {
    return label;
  }
}
