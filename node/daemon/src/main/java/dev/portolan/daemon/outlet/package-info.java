/** Where a daemon's decisions go beside the kernel: its API, a recording, a chart. */
@NullMarked
package dev.portolan.daemon.outlet;

import org.jspecify.annotations.NullMarked;
