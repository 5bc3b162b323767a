/**
 * Reads the cluster's state from manifest files, once or for as long as they change.
 *
 * <p>{@link Manifests} and {@link FileSource} are the two doors; {@link Field#parse} is a third one
 * for other documents than manifests. Text becomes {@link Value}s, a {@link Field} reads a value
 * with the type that it must have, decoders turn fields into the objects of the core. Nothing here
 * judges addresses, ports or names: that is the brain's work.
 */
@NullMarked
package dev.portolan.source.file;

import dev.portolan.text.Field;
import dev.portolan.text.Value;
import org.jspecify.annotations.NullMarked;
