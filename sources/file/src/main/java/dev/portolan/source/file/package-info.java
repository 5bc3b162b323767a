/** Reads the cluster's state from manifest files. */
@NullMarked
package dev.portolan.source.file;

import org.jspecify.annotations.NullMarked;
