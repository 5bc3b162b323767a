/**
 * Kubernetes objects out of values that were read: the fields that Portolan needs, each with the
 * default that Kubernetes gives it. Manifests and the JSON of an API server are read by this alone.
 */
@NullMarked
package dev.portolan.source.objects;

import org.jspecify.annotations.NullMarked;
