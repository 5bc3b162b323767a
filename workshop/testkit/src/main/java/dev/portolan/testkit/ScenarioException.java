package dev.portolan.testkit;

/** Says that a scenario file is not written as one, with the file and the line. */
public final class ScenarioException extends RuntimeException {
  ScenarioException(String file, int line, String message) {
    super(file + ":" + line + ": " + message);
  }
}
