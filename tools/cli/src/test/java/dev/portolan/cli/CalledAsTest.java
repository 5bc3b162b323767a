package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a script's name makes of the words after it. */
final class CalledAsTest {
  @AfterEach
  void forget() {
    System.clearProperty(CalledAs.SCRIPT);
  }

  @Test
  void aScriptCalledKubeProxyIsThatCommand() {
    System.setProperty(CalledAs.SCRIPT, "true");
    assertThat(CalledAs.commandLine(new String[] {"/usr/local/bin/kube-proxy", "--version"}))
        .containsExactly("kube-proxy", "--version");
  }

  @Test
  void aScriptCalledPortolanBrainIsTheBrain() {
    System.setProperty(CalledAs.SCRIPT, "true");
    assertThat(CalledAs.commandLine(new String[] {"/usr/local/bin/portolan-brain", "--from=kube"}))
        .containsExactly("brain", "--from=kube");
  }

  @Test
  void aScriptOfAnotherNameIsTheProgram() {
    System.setProperty(CalledAs.SCRIPT, "true");
    assertThat(CalledAs.commandLine(new String[] {"./portolan", "show", "kube-proxy"}))
        .containsExactly("show", "kube-proxy");
    assertThat(CalledAs.commandLine(new String[] {"/opt/not-kube-proxy"})).isEmpty();
  }

  @Test
  void withoutAScriptTheWordsAreTheCommandLine() {
    assertThat(CalledAs.commandLine(new String[] {"/usr/local/bin/kube-proxy"}))
        .containsExactly("/usr/local/bin/kube-proxy");
  }
}
