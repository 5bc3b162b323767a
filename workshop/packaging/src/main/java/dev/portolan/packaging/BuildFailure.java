package dev.portolan.packaging;

/** Why something cannot be built, in a sentence. */
final class BuildFailure extends RuntimeException {
  BuildFailure(String message) {
    super(message);
  }
}
