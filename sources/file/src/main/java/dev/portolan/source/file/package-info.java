/**
 * Reads the cluster's state from manifest files, once or for as long as they change.
 *
 * <p>{@link Manifests} reads once, {@link FileSource} follows. Values are read by the module text,
 * objects by the package source.objects. Nothing here judges addresses, ports or names: the brain
 * does.
 */
@NullMarked
package dev.portolan.source.file;

import org.jspecify.annotations.NullMarked;
