/** Tests of the manifests: what they become, and what a real API server says to it. */
@NullMarked
package dev.portolan.deploy;

import org.jspecify.annotations.NullMarked;
