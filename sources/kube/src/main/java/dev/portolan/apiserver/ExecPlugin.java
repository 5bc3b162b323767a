package dev.portolan.apiserver;

import static dev.portolan.core.text.Quotes.quote;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.portolan.core.error.Threads;
import dev.portolan.core.text.Quotes;
import dev.portolan.text.Field;
import dev.portolan.text.TextException;
import dev.portolan.tls.Identity;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.InvalidKeyException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Credentials that a program prints. They are valid until the time that the program gave, or until
 * a server refuses them.
 */
final class ExecPlugin implements Credentials {
  private static final int MOST_OUTPUT = 1 << 20;
  private static final int MOST_COMPLAINT = 4096;

  private final Command command;
  private final Duration patience;
  private @Nullable Printed last;

  /**
   * How the program is run.
   *
   * @param place the user entry, as the start of a message
   * @param hint how to install it, for a message; may be empty
   */
  record Command(
      String place,
      String apiVersion,
      String program,
      List<String> arguments,
      Map<String, String> environment,
      String hint) {}

  /** What the program printed, and until when it is valid. */
  private record Printed(Login login, Optional<Instant> end) {}

  ExecPlugin(Command command, Duration patience) {
    this.command = command;
    this.patience = patience;
  }

  @Override
  public synchronized Login login() throws ApiException, InterruptedException {
    Printed known = last;
    boolean counts = known != null && known.end.map(end -> end.isAfter(Instant.now())).orElse(true);
    return known != null && counts ? known.login : run();
  }

  @Override
  public synchronized Login renew(Login refused) throws ApiException, InterruptedException {
    Printed known = last;
    return known == null || known.login.equals(refused) ? run() : known.login;
  }

  private Login run() throws ApiException, InterruptedException {
    Printed printed = read(output());
    last = printed;
    return printed.login;
  }

  private byte[] output() throws ApiException, InterruptedException {
    List<String> line = new ArrayList<>(command.arguments);
    line.addFirst(command.program);
    ProcessBuilder builder =
        new ProcessBuilder(line).redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    builder.environment().putAll(command.environment);
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw wrong(
          "cannot be started: "
              + reason(e)
              + "; "
              + (command.hint.isEmpty() ? "install it, or correct the path" : hint()),
          e);
    }
    try {
      CompletableFuture<byte[]> output = inBackground(process.getInputStream(), MOST_OUTPUT);
      CompletableFuture<byte[]> complaint = inBackground(process.getErrorStream(), MOST_COMPLAINT);
      if (!process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        throw wrong(
            "did not end within " + patience.toSeconds() + " s; does it wait for input?", null);
      }
      if (process.exitValue() != 0) {
        throw wrong(
            "ended with "
                + process.exitValue()
                + said(complaint.join())
                + "; run it by hand to see more",
            null);
      }
      return output.join();
    } finally {
      process.destroyForcibly();
    }
  }

  /**
   * Reads to the end, and keeps at most {@code most} bytes of it; a child that the program left
   * behind may hold the stream open forever.
   */
  private CompletableFuture<byte[]> inBackground(InputStream stream, int most) {
    CompletableFuture<byte[]> result = new CompletableFuture<>();
    Threads.virtual("credential plugin")
        .start(() -> {
          try (stream) {
            byte[] bytes = stream.readNBytes(most);
            stream.transferTo(OutputStream.nullOutputStream());
            result.complete(bytes);
          } catch (IOException e) {
            result.complete(new byte[0]);
          }
        });
    return result.completeOnTimeout(new byte[0], patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static String said(byte[] complaint) {
    String text = new String(complaint, UTF_8).strip().replaceAll("\\s*\\R\\s*", " / ");
    return text.isEmpty() ? " and said nothing" : " and said: " + Quotes.printable(text);
  }

  private String hint() {
    return "how to install it: " + Quotes.printable(command.hint);
  }

  private static String reason(IOException e) {
    String text = String.valueOf(e.getMessage());
    return text.contains("error=2,") || text.contains("error: 2 ")
        ? "there is no such program"
        : text;
  }

  private Printed read(byte[] output) throws ApiException {
    // A message quotes what it does not expect, and this may be a bare secret.
    if (!new String(output, UTF_8).strip().startsWith("{")) {
      throw wrong("printed something else than an ExecCredential in JSON", null);
    }
    try {
      Field credential = Field.parse("its output", "ExecCredential", output);
      Field version = credential.at("apiVersion");
      if (!version.text().equals(command.apiVersion)) {
        throw version.wrong(
            quote(version.text()) + ", and the kubeconfig says " + quote(command.apiVersion));
      }
      Field status = credential.at("status");
      if (!status.isPresent()) {
        throw status.wrong("missing; it should hold a token or a client certificate");
      }
      return new Printed(login(status), end(status.at("expirationTimestamp")));
    } catch (TextException e) {
      throw wrong("did not print credentials: " + e.getMessage(), e);
    }
  }

  private static Login login(Field status) {
    String token = status.at("token").text("");
    String certificate = status.at("clientCertificateData").text("");
    String key = status.at("clientKeyData").text("");
    if (certificate.isEmpty() != key.isEmpty()) {
      throw status.wrong("clientCertificateData and clientKeyData go together; one is missing");
    }
    if (token.isEmpty() && certificate.isEmpty()) {
      throw status.wrong("there is neither a token nor a client certificate in it");
    }
    try {
      return new Login(
          token.isEmpty()
              ? Optional.empty()
              : Optional.of(StoredCredentials.bearer(token, "status.token")),
          certificate.isEmpty()
              ? Optional.empty()
              : Optional.of(Identity.parse(certificate.getBytes(UTF_8), key.getBytes(UTF_8))));
    } catch (ApiException e) {
      throw new TextException(String.valueOf(e.getMessage()));
    } catch (CertificateException e) {
      throw status.at("clientCertificateData").wrong(String.valueOf(e.getMessage()));
    } catch (InvalidKeyException e) {
      throw status.at("clientKeyData").wrong(String.valueOf(e.getMessage()));
    }
  }

  private static Optional<Instant> end(Field timestamp) {
    if (!timestamp.isPresent()) {
      return Optional.empty();
    }
    try {
      return Optional.of(OffsetDateTime.parse(timestamp.text()).toInstant());
    } catch (DateTimeParseException e) {
      throw timestamp.wrong(
          quote(timestamp.text()) + " is not a valid time; write one such as 2030-01-31T12:00:00Z");
    }
  }

  private ApiException wrong(String text, @Nullable Throwable cause) {
    return new ApiException(
        command.place + ": the program " + quote(command.program) + " for credentials " + text,
        cause);
  }
}
