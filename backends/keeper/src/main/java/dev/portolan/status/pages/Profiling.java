package dev.portolan.status.pages;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.portolan.telemetry.http.Request;
import dev.portolan.telemetry.http.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.List;
import java.util.concurrent.Semaphore;
import javax.management.JMException;
import javax.management.ObjectName;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/**
 * What the virtual machine does, under the paths that Go programs have. Loaded only where profiling
 * is on, because it loads a large part of the JDK.
 */
final class Profiling {
  static final String PATH = "/debug/pprof/";
  private static final int LONGEST_SECONDS = 300;

  /**
   * Events that hold the environment, properties, or the command line of this or another process: a
   * recording is passed on, and there may be secrets in them.
   */
  private static final List<String> SECRETIVE =
      List.of(
          "jdk.InitialEnvironmentVariable",
          "jdk.InitialSystemProperty",
          "jdk.InitialSecurityProperty",
          "jdk.JVMInformation",
          "jdk.SystemProcess",
          "jdk.ProcessStart");

  private static final Semaphore RECORDING = new Semaphore(1);

  private Profiling() {}

  /** Answers a request below {@link #PATH}. */
  static Response answer(Request request) {
    return switch (request.path().substring(PATH.length())) {
      case "" ->
          Response.text(
              200,
              """
              goroutine            the threads and what they do
              heap                 the classes with most memory
              profile?seconds=30   a recording for JDK Mission Control or jfr
              cmdline              how the program was started
              """);
      case "goroutine" -> Response.text(200, diagnose("threadPrint"));
      case "heap" -> Response.text(200, diagnose("gcClassHistogram"));
      case "profile" -> profile(request.parameter("seconds", "30"));
      case "cmdline" -> Response.text(200, commandLine());
      default -> Response.notFound();
    };
  }

  /** What {@code jcmd} prints for a command. */
  private static String diagnose(String command) {
    try {
      Object text =
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  command,
                  new Object[] {new String[0]},
                  new String[] {String[].class.getName()});
      return String.valueOf(text);
    } catch (JMException e) {
      throw new IllegalStateException("the virtual machine does not answer " + command, e);
    }
  }

  private static Response profile(String text) {
    int seconds;
    try {
      seconds = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      seconds = 0;
    }
    if (seconds < 1 || seconds > LONGEST_SECONDS) {
      return Response.text(400, "seconds must be a number from 1 to " + LONGEST_SECONDS + "\n");
    }
    if (!RECORDING.tryAcquire()) {
      return Response.text(503, "another recording is under way; try again when it has ended\n");
    }
    try (Recording recording = new Recording(Configuration.getConfiguration("profile"))) {
      SECRETIVE.forEach(recording::disable);
      recording.start();
      Thread.sleep(1000L * seconds);
      recording.stop();
      Path file = Files.createTempFile("portolan", ".jfr");
      try {
        recording.dump(file);
        return new Response(
            200,
            "application/octet-stream",
            List.of("Content-Disposition: attachment; filename=\"portolan.jfr\""),
            Files.readAllBytes(file));
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      return Response.text(500, "a recording needs room for files: " + e + "\n");
    } catch (ParseException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Response.text(503, "the program ends\n");
    } finally {
      RECORDING.release();
    }
  }

  private static String commandLine() {
    try {
      return new String(Files.readAllBytes(Path.of("/proc/self/cmdline")), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
