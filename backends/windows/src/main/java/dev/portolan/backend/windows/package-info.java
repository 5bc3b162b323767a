/**
 * A backend for the kernel of Windows: services become load balancers of the Host Network Service.
 *
 * <p>docs/windows.md says what they look like. The package {@code hcn} has the calls.
 */
@NullMarked
package dev.portolan.backend.windows;

import org.jspecify.annotations.NullMarked;
