package dev.portolan.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A TCP port that a process listens on.
 *
 * @param pid the process; empty where it cannot be seen
 * @param command its command line
 */
public record ListeningSocket(int port, Optional<Long> pid, String command) {
  private static final Pattern PROGRAM =
      Pattern.compile("(^|[ /])(portolan|portolan-cli\\.jar|dev\\.portolan\\.cli\\.Main)( |$)");
  private static final String LISTENING = "0A";
  private static final int LOCAL = 1;
  private static final int STATE = 3;
  private static final int INODE = 9;

  /** The one that listens on a port in the namespace of {@code files}. */
  static Optional<ListeningSocket> on(int port, KernelFiles files) {
    List<String> lines = new ArrayList<>();
    files.lines("/proc/thread-self/net/tcp").ifPresent(lines::addAll);
    files.lines("/proc/thread-self/net/tcp6").ifPresent(lines::addAll);
    return lines.stream()
        .map(line -> line.strip().split(" +", -1))
        .filter(words -> words.length > INODE && words[STATE].equals(LISTENING))
        .filter(words -> port(words[LOCAL]) == port)
        .findFirst()
        .map(words -> owned(port, words[INODE]));
  }

  private static int port(String hexAddress) {
    return Integer.parseInt(hexAddress.substring(hexAddress.lastIndexOf(':') + 1), 16);
  }

  private static ListeningSocket owned(int port, String inode) {
    Optional<Path> owner = owner("socket:[" + inode + "]");
    return new ListeningSocket(
        port,
        owner.map(process -> Long.valueOf(process.getFileName().toString())),
        owner.map(ListeningSocket::command).orElse(""));
  }

  private static Optional<Path> owner(String socket) {
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[1-9]*")) {
      for (Path process : processes) {
        if (holds(process.resolve("fd"), socket)) {
          return Optional.of(process);
        }
      }
    } catch (IOException e) {
      return Optional.empty();
    }
    return Optional.empty();
  }

  private static boolean holds(Path folder, String socket) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        if (Files.isSymbolicLink(file) && Files.readSymbolicLink(file).toString().equals(socket)) {
          return true;
        }
      }
    } catch (IOException e) {
      // The process is gone, or another user's.
    }
    return false;
  }

  private static String command(Path process) {
    try {
      return new String(Files.readAllBytes(process.resolve("cmdline")), StandardCharsets.ISO_8859_1)
          .replace('\0', ' ')
          .strip();
    } catch (IOException e) {
      return "";
    }
  }

  /** Whether the process is a Portolan. */
  boolean isOurs() {
    return PROGRAM.matcher(command).find();
  }

  /** The program's name and its pid, for people. */
  String owner() {
    if (pid.isEmpty()) {
      return "another process";
    }
    String program = command.split(" ", 2)[0];
    return program.substring(program.lastIndexOf('/') + 1) + " (pid " + pid.get() + ")";
  }
}
