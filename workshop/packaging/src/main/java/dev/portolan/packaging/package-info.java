/**
 * Makes what is installed: the tree of files below {@code /}, and container images. A build tool
 * that the program knows nothing of.
 */
@NullMarked
package dev.portolan.packaging;

import org.jspecify.annotations.NullMarked;
