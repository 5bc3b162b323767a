package dev.portolan.proxy.metrics;

import java.time.Duration;
import java.util.Optional;

/**
 * How one watch of the API server is doing.
 *
 * @param resource what is watched, in plural: {@code services}
 * @param synced whether everything that there was has been read once
 * @param silent how long ago the server sent its last byte; empty before the first
 * @param lists how often everything was listed
 * @param watches how often a watch was opened
 * @param errors how often listing or watching failed
 */
public record WatchStatus(
    String resource,
    boolean synced,
    Optional<Duration> silent,
    long lists,
    long watches,
    long errors) {}
