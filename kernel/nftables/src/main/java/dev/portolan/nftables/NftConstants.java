package dev.portolan.nftables;

/** Numbers of the nf_tables protocol, named as the kernel's header names them. */
public final class NftConstants {
  public static final int SUBSYSTEM = 10 << 8;
  public static final int BATCH_BEGIN = 16;
  public static final int BATCH_END = 17;

  public static final int NEW_TABLE = 0;
  public static final int GET_TABLE = 1;
  public static final int DELETE_TABLE = 2;
  public static final int NEW_CHAIN = 3;
  public static final int GET_CHAIN = 4;
  public static final int DELETE_CHAIN = 5;
  public static final int NEW_RULE = 6;
  public static final int GET_RULE = 7;
  public static final int DELETE_RULE = 8;
  public static final int NEW_SET = 9;
  public static final int GET_SET = 10;
  public static final int DELETE_SET = 11;
  public static final int NEW_ELEMENT = 12;
  public static final int GET_ELEMENT = 13;
  public static final int DELETE_ELEMENT = 14;
  public static final int NEW_GENERATION = 15;
  public static final int GET_GENERATION = 16;
  public static final int DELETE_OBJECT = 20;
  public static final int DELETE_FLOWTABLE = 24;

  /** The multicast group of notifications. */
  public static final int GROUP = 7;

  public static final int GENERATION_ID = 1;
  public static final int GENERATION_PROCESS_ID = 2;
  public static final int GENERATION_PROCESS_NAME = 3;

  /** The attribute that names the table, in messages on anything in one. */
  public static final int TABLE = 1;

  public static final int TABLE_NAME = 1;
  public static final int TABLE_FLAGS = 2;
  public static final int TABLE_DORMANT = 1;
  public static final int TABLE_OWNED = 2;
  public static final int TABLE_USERDATA = 6;

  public static final int CHAIN_TABLE = 1;
  public static final int CHAIN_NAME = 3;
  public static final int CHAIN_HOOK = 4;
  public static final int CHAIN_POLICY = 5;
  public static final int POLICY_DROP = 0;
  public static final int CHAIN_TYPE = 7;
  public static final int CHAIN_USERDATA = 12;
  public static final int HOOK_NUMBER = 1;
  public static final int HOOK_PRIORITY = 2;

  public static final int RULE_TABLE = 1;
  public static final int RULE_CHAIN = 2;
  public static final int RULE_HANDLE = 3;
  public static final int RULE_EXPRESSIONS = 4;
  public static final int RULE_USERDATA = 7;

  public static final int SET_TABLE = 1;
  public static final int SET_NAME = 2;
  public static final int SET_FLAGS = 3;
  public static final int SET_KEY_TYPE = 4;
  public static final int SET_KEY_LENGTH = 5;
  public static final int SET_DATA_TYPE = 6;
  public static final int SET_DATA_LENGTH = 7;
  public static final int SET_DESCRIPTION = 9;
  public static final int SET_ID = 10;
  public static final int SET_TIMEOUT = 11;
  public static final int SET_USERDATA = 13;
  public static final int SET_EXPRESSION = 17;
  public static final int SET_COUNT = 20;
  public static final int DESCRIPTION_SIZE = 1;
  public static final int DESCRIPTION_CONCAT = 2;
  public static final int FIELD_LENGTH = 1;

  public static final int ELEMENTS_TABLE = 1;
  public static final int ELEMENTS_SET = 2;
  public static final int ELEMENTS_LIST = 3;
  public static final int ELEMENT_KEY = 1;
  public static final int ELEMENT_DATA = 2;
  public static final int ELEMENT_FLAGS = 3;
  public static final int ELEMENT_USERDATA = 6;
  public static final int ELEMENT_EXPRESSION = 7;
  public static final int ELEMENT_KEY_END = 10;

  public static final int DATA_VALUE = 1;
  public static final int DATA_VERDICT = 2;
  public static final int VERDICT_CODE = 1;
  public static final int VERDICT_CHAIN = 2;
  public static final int LIST_ELEMENT = 1;
  public static final int EXPRESSION_NAME = 1;
  public static final int EXPRESSION_DATA = 2;
  public static final int IMMEDIATE_DATA = 2;
  public static final int COUNTER_PACKETS = 2;
  public static final String COUNTER = "counter";
  public static final int MATCH_NAME = 1;
  public static final int MATCH_INFO = 3;

  private NftConstants() {}
}
