package dev.portolan.bpf;

import static dev.portolan.bpf.Register.FRAME;
import static dev.portolan.bpf.Register.R0;
import static dev.portolan.bpf.Register.R1;
import static dev.portolan.bpf.Register.R2;
import static dev.portolan.bpf.Register.R6;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Programs as text, as bytes, and run. */
class AssemblerTest {
  private static final MapShape COUNTS = new MapShape("counts", MapShape.Kind.HASH, 4, 8, 10);

  /** Counts how often it was called with the word at the start of its context. */
  private static Code counter() {
    return new Assembler()
        .load(Width.WORD, R6, R1, 0)
        .store(Width.WORD, FRAME, -4, R6)
        .map(R1, "counts")
        .move(R2, FRAME)
        .calculate(Arithmetic.ADD, R2, -4)
        .call(Helper.MAP_LOOKUP_ELEM)
        .jumpIf(Condition.EQUAL, R0, 0, "unknown")
        .load(Width.DOUBLE, R1, R0, 0)
        .calculate(Arithmetic.ADD, R1, 1)
        .store(Width.DOUBLE, R0, 0, R1)
        .exit(1)
        .label("unknown")
        .exit(0)
        .assemble();
  }

  @Test
  void aProgramReadsAsText() {
    assertThat(counter().toString())
        .isEqualTo(
            """
               0: r6 = *(u32 *)(r1 + 0)
               1: *(u32 *)(r10 - 4) = r6
               2: r1 = map counts
               4: r2 = r10
               5: r2 += -4
               6: call map_lookup_elem
               7: if r0 == 0 goto unknown
               8: r1 = *(u64 *)(r0 + 0)
               9: r1 += 1
              10: *(u64 *)(r0 + 0) = r1
              11: r0 = 1
              12: exit
            unknown:
              13: r0 = 0
              14: exit
            """);
    assertThat(counter().maps()).containsExactly("counts");
  }

  @Test
  void theBytesAreTheKernels() {
    byte[] bytes = counter().encode(map -> 7);
    assertThat(HexFormat.of().formatHex(bytes, 0, 32))
        .isEqualTo("6116000000000000" + "636afcff00000000" + "1811000007000000" + "00".repeat(8));
    assertThat(bytes).hasSize(counter().size() * 8);
  }

  @Test
  void theInterpreterRunsIt() {
    Interpreter kernel = new Interpreter().map("counts", COUNTS);
    byte[] context = {1, 2, 3, 4};
    assertThat(kernel.run(counter(), context).value()).isZero();
    kernel.put("counts", Map.of(ByteBuffer.wrap(context), ByteBuffer.allocate(8)));
    assertThat(kernel.run(counter(), context).value()).isEqualTo(1);
    assertThat(kernel.run(counter(), context).value()).isEqualTo(1);
    assertThat(kernel.map("counts").values()).containsExactly(new byte[] {2, 0, 0, 0, 0, 0, 0, 0});
  }

  @Test
  void theInterpreterStopsAtWhatTheVerifierWouldReject() {
    Code reads = new Assembler().load(Width.WORD, R0, FRAME, -8).exit(1).assemble();
    assertThatThrownBy(() -> new Interpreter().run(reads, new byte[8]))
        .hasMessage("the stack was not written at -8");
    Code outside = new Assembler().load(Width.WORD, R0, R1, 6).exit(1).assemble();
    assertThatThrownBy(() -> new Interpreter().run(outside, new byte[8]))
        .hasMessage("4 bytes at 6 of 8");
  }

  @Test
  void aJumpNeedsItsLabelBehindIt() {
    assertThatThrownBy(() -> new Assembler().jump("nowhere").exit(0).assemble())
        .hasMessage("no label nowhere after instruction 0");
    assertThatThrownBy(() -> new Assembler().label("back").move(R0, 1).jump("back").assemble())
        .hasMessage("no label back after instruction 1");
    assertThatThrownBy(() -> new Assembler().label("a").label("a"))
        .hasMessage("label a is there twice");
  }

  @Test
  void aRejectedProgramNamesTheInstruction() {
    String log =
        """
        0: R1=ctx() R10=fp0
        0: (61) r6 = *(u32 *)(r1 +0)          ; R1=ctx() R6_w=scalar()
        1: (63) *(u32 *)(r10 -4) = r6
        2: (18) r1 = 0xffff8a8000000000
        4: (bf) r2 = r10
        5: (07) r2 += -4
        6: (85) call bpf_map_lookup_elem#1
        unknown func bpf_map_lookup_elem#1
        processed 6 insns (limit 1000000) max_states_per_insn 0 total_states 0
        """;
    assertThat(VerifierLog.sentence(counter(), log))
        .isEqualTo("instruction 6 (call map_lookup_elem): unknown func bpf_map_lookup_elem#1");
    assertThat(VerifierLog.sentence(counter(), "")).isEqualTo("the verifier gave no reason");
  }
}
