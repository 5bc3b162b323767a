package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is another folder for each user; the rest are sessions. */
final class SourcesTest {
  @Test
  void aTildeIsTheHomeOfTheUser() {
    assertThat(Shell.run("show", "--from=file:~/no-such-file", "--node=x").err())
        .startsWith("portolan: " + System.getProperty("user.home") + "/no-such-file: no such file");
  }
}
