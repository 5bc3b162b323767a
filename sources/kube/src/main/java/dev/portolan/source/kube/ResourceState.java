package dev.portolan.source.kube;

import java.time.Duration;
import java.util.Optional;

/**
 * How it stands with the watch of one resource.
 *
 * @param resource as in {@code endpointslices}
 * @param synced whether all of it was read once
 * @param age how long ago the server last told something of it; empty before the first time
 * @param resourceVersion the version up to which it is known; empty where it has to be listed
 * @param lists how often it was listed, in whatever way
 * @param watches how many watches were opened
 * @param errors how often something failed
 * @param lastError what failed last; empty where nothing did
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
