package dev.portolan.source.kube;

import java.time.Duration;
import java.util.Optional;

/**
 * The state of the watch of one resource.
 *
 * @param resource the plural, such as {@code endpointslices}
 * @param synced whether all of it was read once
 * @param age how long ago the server last sent something; empty before the first time
 * @param resourceVersion the version up to which it is known; empty if everything has to be read
 * @param lists how often everything was read
 * @param watches how many watches were opened
 * @param errors how often something failed
 * @param lastError what failed last; empty if nothing did
 */
public record ResourceState(
    String resource,
    boolean synced,
    Optional<Duration> age,
    String resourceVersion,
    long lists,
    long watches,
    long errors,
    String lastError) {}
