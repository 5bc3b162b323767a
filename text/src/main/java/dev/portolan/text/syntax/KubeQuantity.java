package dev.portolan.text.syntax;

import java.util.regex.Pattern;

/** Quantities such as {@code 64Ki}, as Kubernetes writes them. */
public final class KubeQuantity {
  private static final Pattern FORM =
      Pattern.compile(
          "[-+]?([0-9]{1,18}(\\.[0-9]{0,18})?|\\.[0-9]{1,18})"
              + "(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|n|u|[eE][-+]?[0-9]{1,2})?");

  private KubeQuantity() {}

  /** Whether {@code text} is a quantity. */
  public static boolean isOne(String text) {
    return FORM.matcher(text).matches();
  }
}
