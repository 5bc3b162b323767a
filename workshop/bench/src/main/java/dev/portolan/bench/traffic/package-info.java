/** What talks to the thing that is measured: clients of a brain, and servers behind a service. */
@NullMarked
package dev.portolan.bench.traffic;

import org.jspecify.annotations.NullMarked;
