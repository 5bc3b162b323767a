package dev.portolan.doctor.bundle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The end of what a process has logged, where that went to a file. */
final class DaemonLog {
  private static final int LONGEST = 1 << 20;
  private static final Path PODS = Path.of("/var/log/pods");
  private static final Pattern POD =
      Pattern.compile("pod([0-9a-f]{8}([-_][0-9a-f]{4}){3}[-_][0-9a-f]{12})");

  private DaemonLog() {}

  /** The end of the log of a process. */
  static Optional<String> of(long pid) {
    for (Path file : files(Path.of("/proc", Long.toString(pid)))) {
      try {
        if (Files.isRegularFile(file)) {
          return Optional.of(tail(file));
        }
      } catch (IOException e) {
        // Another one may be readable.
      }
    }
    return Optional.empty();
  }

  /** Where its errors go, and where the kubelet keeps the log of its pod. */
  private static List<Path> files(Path process) {
    List<Path> files = new ArrayList<>();
    files.add(process.resolve("fd/2"));
    try {
      Matcher pod = POD.matcher(Files.readString(process.resolve("cgroup")));
      if (pod.find() && Files.isDirectory(PODS)) {
        String uid = pod.group(1).replace('_', '-');
        try (DirectoryStream<Path> pods = Files.newDirectoryStream(PODS, "*_" + uid)) {
          for (Path folder : pods) {
            try (var logs = Files.walk(folder, 2)) {
              logs.filter(log -> log.toString().endsWith(".log")).sorted().forEach(files::add);
            }
          }
        }
      }
    } catch (IOException e) {
      // Not in a pod, or not on its host.
    }
    return files;
  }

  private static String tail(Path file) throws IOException {
    try (SeekableByteChannel channel = Files.newByteChannel(file)) {
      channel.position(Math.max(0, channel.size() - LONGEST));
      ByteBuffer bytes = ByteBuffer.allocate(LONGEST);
      while (bytes.hasRemaining() && channel.read(bytes) > 0) {
        // Until the buffer is full, or the file ends.
      }
      return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
    }
  }
}
