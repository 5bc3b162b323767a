package dev.portolan.options;

import dev.portolan.client.LinkListener;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Text;

/** Says when a server is lost, and when it is back. */
public final class LinkRemarks implements LinkListener {
  private final Remarks remarks;
  private final String back;
  private boolean lost;

  /** Says {@code back} of a server that is back. */
  public LinkRemarks(Remarks remarks, String back) {
    this.remarks = remarks;
    this.back = back;
  }

  @Override
  public void lost(String sentence) {
    lost = true;
    remarks.say("lost: " + Text.printable(sentence) + "; retrying");
  }

  @Override
  public void connected() {
    if (lost) {
      lost = false;
      remarks.say(back);
    }
  }
}
