package dev.portolan.source.record;

import dev.portolan.core.text.Quotes;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A point in a recording, as {@code @TIME} or {@code @REVISION} names it. */
public sealed interface RecordPoint {
  /** The newest state that was there at {@code time}. */
  record AtTime(Instant time) implements RecordPoint {}

  /** The newest state up to {@code revision} of the run with the number {@code run}, from 0. */
  record AtRevision(int run, long revision) implements RecordPoint {}

  /** How long after its last entry a recording may count as going on: entries come every minute. */
  Duration GRACE = Duration.ofMinutes(2);

  /** The forms that there are, as a remedy. */
  String FORMS =
      "write a time such as 03:12, 14:05:40.5, 2026-11-17T03:12 or 2026-11-17T03:12:00Z, -5m for"
          + " five minutes before the end, or the number of a revision";

  /**
   * Reads what was written behind the @.
   *
   * @param zone the zone of times that name none
   * @throws RecordingException if it is not a point, or not one of this recording
   */
  static RecordPoint parse(String text, RecordingIndex index, ZoneId zone) {
    if (text.matches("[0-9]{1,18}")) {
      return revision(Long.parseLong(text), index, zone);
    }
    Optional<Instant> before = beforeTheEnd(text, index);
    if (before.isPresent()) {
      return at(before.get(), text, index, zone);
    }
    try {
      if (text.matches("[0-9]{1,2}:.*")) {
        LocalTime time = LocalTime.parse(text.indexOf(':') == 1 ? "0" + text : text);
        return at(lastDayWith(time, index, zone), text, index, zone);
      }
      Instant time =
          text.matches(".*T.*(Z|[+-][0-9:]+)")
              ? OffsetDateTime.parse(text).toInstant()
              : LocalDateTime.parse(text.replace(' ', 'T')).atZone(zone).toInstant();
      return at(time, text, index, zone);
    } catch (DateTimeParseException e) {
      throw new RecordingException(Quotes.quote(text) + " is not a time; " + FORMS, e);
    }
  }

  private static RecordPoint revision(long revision, RecordingIndex index, ZoneId zone) {
    for (int run = index.runs().size() - 1; run >= 0; run--) {
      if (index.runs().get(run).has(revision)) {
        return new AtRevision(run, revision);
      }
    }
    String known =
        index.runs().stream()
            .filter(run -> run.first() > 0)
            .map(run -> run.first() + " to " + run.last())
            .collect(Collectors.joining(", then, of a new process, "));
    throw new RecordingException(
        "no revision " + revision + ": it has " + known + "; " + range(index, zone));
  }

  private static Optional<Instant> beforeTheEnd(String text, RecordingIndex index) {
    Matcher written = Pattern.compile("-([0-9]{1,9})(ms|s|m|h|d)").matcher(text);
    if (!written.matches()) {
      return Optional.empty();
    }
    ChronoUnit unit =
        switch (written.group(2)) {
          case "ms" -> ChronoUnit.MILLIS;
          case "s" -> ChronoUnit.SECONDS;
          case "m" -> ChronoUnit.MINUTES;
          case "h" -> ChronoUnit.HOURS;
          default -> ChronoUnit.DAYS;
        };
    try {
      return Optional.of(index.end().minus(Duration.of(Long.parseLong(written.group(1)), unit)));
    } catch (DateTimeException | ArithmeticException e) {
      return Optional.of(Instant.EPOCH);
    }
  }

  /** The last moment of the recording with that time of day, or one outside if it has none. */
  private static Instant lastDayWith(LocalTime time, RecordingIndex index, ZoneId zone) {
    LocalDate last = index.end().plus(GRACE).atZone(zone).toLocalDate();
    LocalDate first = index.begin().atZone(zone).toLocalDate();
    for (LocalDate day = last; !day.isBefore(first); day = day.minusDays(1)) {
      Instant moment = ZonedDateTime.of(day, time, zone).toInstant();
      if (covers(index, moment)) {
        return moment;
      }
    }
    return ZonedDateTime.of(last, time, zone).toInstant();
  }

  /** A time without fractions means the second that has them, if the recording begins in it. */
  private static boolean covers(RecordingIndex index, Instant time) {
    boolean second = time.equals(time.truncatedTo(ChronoUnit.SECONDS));
    Instant begin = second ? index.begin().truncatedTo(ChronoUnit.SECONDS) : index.begin();
    return !time.isBefore(begin) && !time.isAfter(index.end().plus(GRACE));
  }

  private static RecordPoint at(Instant time, String text, RecordingIndex index, ZoneId zone) {
    if (!covers(index, time)) {
      throw new RecordingException(
          Quotes.quote(text) + " is outside of the recording: " + range(index, zone));
    }
    return new AtTime(time.isBefore(index.begin()) ? index.begin() : time);
  }

  private static String range(RecordingIndex index, ZoneId zone) {
    return "it covers "
        + local(index.begin(), zone)
        + " to "
        + local(index.end(), zone)
        + " (time zone "
        + zone
        + ")";
  }

  private static String local(Instant time, ZoneId zone) {
    return DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(
        time.truncatedTo(ChronoUnit.MILLIS).atZone(zone));
  }
}
