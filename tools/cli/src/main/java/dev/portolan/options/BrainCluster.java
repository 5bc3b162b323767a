package dev.portolan.options;

import dev.portolan.api.transport.Address;
import dev.portolan.client.Connection;
import dev.portolan.client.LinkListener;
import dev.portolan.client.RelaySource;
import dev.portolan.client.Subscription;
import dev.portolan.core.cluster.Source;
import dev.portolan.terminal.Remarks;
import dev.portolan.tls.TlsFiles;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The cluster that another brain knows. */
final class BrainCluster implements Source {
  private final Address address;
  private final Optional<TlsFiles> tls;
  private final Remarks remarks;

  /** What is read, once it is. */
  private volatile @Nullable RelaySource reading;

  private BrainCluster(Address address, Optional<TlsFiles> tls, Remarks remarks) {
    this.address = address;
    this.tls = tls;
    this.remarks = remarks;
  }

  /** The cluster of the brain at {@code address}. */
  static BrainCluster of(Address address, Optional<TlsFiles> tls, Remarks remarks) {
    // Errors in the files are reported now, and not by the thread that reads.
    ApiOptions.connect(address, tls, remarks).close();
    return new BrainCluster(address, tls, remarks);
  }

  @Override
  public void run(Sink sink) throws InterruptedException {
    try (Connection connection = ApiOptions.connect(address, tls, remarks)) {
      RelaySource source =
          new RelaySource(connection, Subscription.DEFAULT_ERROR_DELAY, new Returns());
      reading = source;
      source.run(sink);
    }
  }

  @Override
  public Duration silence() {
    RelaySource source = reading;
    return source == null ? Duration.ZERO : source.silence();
  }

  /** Says when a brain that was lost is back; that it was lost is reported to the sink. */
  private final class Returns implements LinkListener {
    private boolean lost;

    @Override
    public void lost(String sentence) {
      lost = true;
    }

    @Override
    public void connected() {
      if (lost) {
        remarks.say(address + " is back");
        lost = false;
      }
    }
  }
}
