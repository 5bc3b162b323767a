package dev.portolan.telemetry.log;

/** How bad a line is. */
enum Severity {
  INFO('I'),
  WARNING('W'),
  ERROR('E');

  private final char letter;

  Severity(char letter) {
    this.letter = letter;
  }

  /** The letter that a line of text begins with. */
  char letter() {
    return letter;
  }
}
