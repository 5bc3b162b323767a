package dev.portolan.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which line of a program's output explains its failure. */
final class ProgramOutputTest {
  @Test
  void ofAPanicItIsTheFirstLine() {
    assertComplaint(
        "panic: runtime error: index out of range [3]",
        """
        connected
        panic: runtime error: index out of range [3]

        goroutine 1 [running]:
        main.main()
        \t/src/main.go:12 +0x1d
        exit status 2
        """);
  }

  @Test
  void ofAStackTraceItIsTheInnermostCause() {
    assertComplaint(
        "Caused by: java.io.IOException: disk full",
        """
        Exception in thread "main" java.lang.IllegalStateException: no
        \tat Main.main(Main.java:3)
        Caused by: java.io.IOException: disk full
        \tat Main.write(Main.java:9)
        \t... 1 more
        shutting down
        """);
    assertComplaint(
        "ValueError: no node",
        """
        Traceback (most recent call last):
          File "backend.py", line 3, in <module>
        ValueError: no node
        """);
  }

  @Test
  void aHintAfterAnErrorExplainsNothing() {
    assertComplaint(
        "portolan: --node is required with --api",
        """
        portolan: --node is required with --api
        See 'portolan run --help' for usage.
        """);
    assertComplaint(
        "portolan: cannot open the socket [PORT-302]",
        """
        portolan: cannot open the socket [PORT-302]
        Set PORTOLAN_DEBUG=1 to see the stack trace.
        """);
  }

  @Test
  void withoutAnErrorItIsTheLastLine() {
    assertComplaint("bye", "hello\nbye\n  indented\n\n");
    assertThat(ProgramOutput.complaint("\n  \n")).isEmpty();
  }

  private static void assertComplaint(String expected, String output) {
    assertThat(ProgramOutput.complaint(output)).contains(expected);
  }
}
