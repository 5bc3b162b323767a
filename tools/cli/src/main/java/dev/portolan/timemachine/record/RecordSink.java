package dev.portolan.timemachine.record;

import dev.portolan.brain.Brain;
import dev.portolan.core.cluster.ClusterChange;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Source;
import dev.portolan.source.record.Recorder;

/** Records what a source hands over, with the revisions that a brain would count. */
record RecordSink(Brain brain, Recorder recorder, RecordLog log, Source source)
    implements Source.Sink {
  @Override
  public void apply(ClusterImage newest) {
    ClusterChange change = brain.apply(newest);
    long revision = brain.decision().revision();
    recorder.taken(newest, revision, source.versions());
    log.taken(newest, revision, change);
  }

  @Override
  public void report(String problem) {
    recorder.problem(problem);
    log.problem(problem);
  }
}
