/*
 * The Host Network Service of a Windows that is not there: computenetwork.dll, and the one call of vmcompute.dll,
 * for tests under Wine. It keeps networks, endpoints and load balancers, and refuses what HNS is known to refuse.
 *
 * Its state is a journal, a text file that the environment variable PORTOLAN_HNS names. Every process reads what
 * others appended before each call, and appends what it does; so the state outlives a process, a test sees all calls
 * in their order, and a test appends lines of its own to prepare a state or to have calls fail. One line each:
 *
 *   hns TEXT                     the first line; another text means that everything before is forgotten
 *   version MAJOR.MINOR          what HNSCall answers; 15.4 unless said
 *   ids take|refuse|choose       what becomes of an id that a create brings along; it is taken unless said
 *   network {JSON}               a network, endpoint or load balancer is there from now on, as its JSON with ID says
 *   endpoint {JSON}
 *   loadbalancer {JSON}
 *   delete KIND ID               and this one is not any more
 *   fail FUNCTION STATUS [N]     calls of FUNCTION (or * for all) return STATUS, the next N or all of them
 *   slow FUNCTION MILLISECONDS   calls of FUNCTION take as long
 *   work                         no call fails or is slow any more
 *   call FUNCTION STATUS [ID]    a call that was made
 *
 * As HNS does, it writes ids in capitals; a zero id in a create means that it chooses one. It is stricter than HNS
 * where that finds mistakes: a remote endpoint that a load balancer uses cannot be deleted.
 */
#include <objbase.h>
#include <windows.h>

#include "json.h"

#define EXPORT __declspec(dllexport)

#define NOT_FOUND ((HRESULT)0x80070490)
#define NETWORK_NOT_FOUND ((HRESULT)0x803b0001)
#define ENDPOINT_NOT_FOUND ((HRESULT)0x803b0002)
#define INVALID_ENDPOINT ((HRESULT)0x803b000c)
#define PORT_EXISTS ((HRESULT)0x803b0013)
#define INVALID_JSON ((HRESULT)0x803b001b)
#define INVALID_IP ((HRESULT)0x803b001e)
#define ALREADY_EXISTS ((HRESULT)0x800700b7)

typedef enum { NETWORK, ENDPOINT, LOAD_BALANCER, KINDS } Kind;
static const char *kind_names[] = {"network", "endpoint", "loadbalancer"};
static const HRESULT kind_missing[] = {NETWORK_NOT_FOUND, ENDPOINT_NOT_FOUND, NOT_FOUND};

/* A network, an endpoint or a load balancer. */
typedef struct Thing {
  Kind kind;
  char id[37];
  Json *json;
  struct Thing *same;
  struct Thing *next;
} Thing;

/* That a load balancer serves an address, protocol and port. */
typedef struct Claim {
  char frontend[128];
  char id[37];
  struct Claim *same;
} Claim;

/* A rule of the journal about calls that fail or are slow. */
typedef struct Rule {
  char function[64];
  HRESULT status;
  DWORD delay;
  long left;
  struct Rule *next;
} Rule;

/* What a caller has open. */
typedef struct {
  Kind kind;
  GUID id;
} Handle;

#define BUCKETS 65536
static Thing *buckets[BUCKETS];
static Claim *claims[BUCKETS];
/* In the order in which they came. */
static Thing *first[KINDS], *last[KINDS];
static Rule *rules;
static char version[32];
static char ids[8];
static char generation[128];
static LONGLONG position;
static HANDLE journal = INVALID_HANDLE_VALUE;
static HANDLE lock;

static unsigned hash(unsigned seed, const char *text) {
  unsigned hash = 2166136261u + seed;
  for (; *text; text++) hash = (hash ^ (unsigned char)tolower((unsigned char)*text)) * 16777619u;
  return hash;
}

static Thing **bucket(Kind kind, const char *id) { return &buckets[hash(kind, id) % BUCKETS]; }

static Thing *find(Kind kind, const char *id) {
  for (Thing *thing = *bucket(kind, id); thing; thing = thing->same) {
    if (thing->kind == kind && !strcmp(thing->id, id)) return thing;
  }
  return NULL;
}

/* What is done with an address, protocol and port that a load balancer serves; the first that is not 0 is returned. */
typedef int Frontend(const char *frontend, const char *id);

/* Goes through the ports of a load balancer on its VIPs, or on the node where it has none, as for nodePorts. */
static int each_frontend(const Json *balancer, const char *id, Frontend *action) {
  Json *ports = json_field(balancer, "PortMappings"), *vips = json_field(balancer, "FrontendVIPs");
  for (Json *port = ports ? ports->first : NULL; port; port = port->next) {
    Json *vip = vips ? vips->first : NULL;
    do {
      /* Flag 2 is IPv6. */
      const char *node = atoi(json_text(balancer, "Flags")) & 2 ? "IPv6" : "IPv4";
      char frontend[128];
      int result;
      snprintf(frontend, sizeof frontend, "%.60s %.9s %.9s", vip ? vip->text : node, json_text(port, "Protocol"),
               json_text(port, "ExternalPort"));
      result = action(frontend, id);
      if (result) return result;
      vip = vip ? vip->next : NULL;
    } while (vip);
  }
  return 0;
}

static Claim **claim(const char *frontend) {
  Claim **at = &claims[hash(0, frontend) % BUCKETS];
  while (*at && _stricmp((*at)->frontend, frontend)) at = &(*at)->same;
  return at;
}

static int another_claims(const char *frontend, const char *id) {
  Claim *there = *claim(frontend);
  return there && strcmp(there->id, id);
}

static int add_claim(const char *frontend, const char *id) {
  Claim **at = claim(frontend);
  if (!*at) *at = calloc(1, sizeof **at);
  strncpy((*at)->frontend, frontend, sizeof (*at)->frontend - 1);
  strncpy((*at)->id, id, 36);
  return 0;
}

static int drop_claim(const char *frontend, const char *id) {
  Claim **at = claim(frontend), *there = *at;
  if (there && !strcmp(there->id, id)) {
    *at = there->same;
    free(there);
  }
  return 0;
}

static void put(Kind kind, Json *json) {
  const char *id = json_text(json, "ID");
  Thing *thing = find(kind, id);
  if (thing) {
    if (kind == LOAD_BALANCER) each_frontend(thing->json, thing->id, drop_claim);
    json_free(thing->json);
  } else {
    Thing **start = bucket(kind, id);
    thing = calloc(1, sizeof *thing);
    thing->kind = kind;
    strncpy(thing->id, id, 36);
    thing->same = *start;
    *start = thing;
    if (last[kind]) {
      last[kind]->next = thing;
    } else {
      first[kind] = thing;
    }
    last[kind] = thing;
  }
  thing->json = json;
  if (kind == LOAD_BALANCER) each_frontend(json, thing->id, add_claim);
}

static void take(Kind kind, const char *id) {
  Thing *thing = find(kind, id), *before = NULL, **at;
  if (!thing) return;
  for (at = bucket(kind, id); *at != thing;) at = &(*at)->same;
  *at = thing->same;
  for (Thing *each = first[kind]; each != thing; each = each->next) before = each;
  if (before) {
    before->next = thing->next;
  } else {
    first[kind] = thing->next;
  }
  if (last[kind] == thing) last[kind] = before;
  if (kind == LOAD_BALANCER) each_frontend(thing->json, thing->id, drop_claim);
  json_free(thing->json);
  free(thing);
}

static void forget_rules(void) {
  while (rules) {
    Rule *next = rules->next;
    free(rules);
    rules = next;
  }
}

static void forget(void) {
  for (Kind kind = 0; kind < KINDS; kind++) {
    while (first[kind]) take(kind, first[kind]->id);
  }
  forget_rules();
  strcpy(version, "15.4");
  strcpy(ids, "take");
  *generation = 0;
  position = 0;
}

static Rule *rule_for(const char *function, int failing) {
  for (Rule *rule = rules; rule; rule = rule->next) {
    int fits = !strcmp(rule->function, "*") || !strcmp(rule->function, function);
    if (fits && rule->left && failing == (rule->status != 0)) return rule;
  }
  return NULL;
}

static void rule_add(const char *function, HRESULT status, DWORD delay, long left) {
  Rule *rule = calloc(1, sizeof *rule), **at = &rules;
  strncpy(rule->function, function, sizeof rule->function - 1);
  rule->status = status;
  rule->delay = delay;
  rule->left = left;
  while (*at) at = &(*at)->next;
  *at = rule;
}

/* Takes one line of the journal. */
static void replay(char *line) {
  char word[64] = "", function[64] = "", more[64] = "";
  unsigned long number = 0;
  long times = -1;
  for (Kind kind = 0; kind < KINDS; kind++) {
    size_t length = strlen(kind_names[kind]);
    if (!strncmp(line, kind_names[kind], length) && line[length] == ' ') {
      Json *json = json_object(line + length + 1);
      if (json) put(kind, json);
      return;
    }
  }
  sscanf(line, "%63s %63s %63s %ld", word, function, more, &times);
  number = strtoul(more, NULL, 0);
  if (!strcmp(word, "version")) {
    strncpy(version, function, sizeof version - 1);
  } else if (!strcmp(word, "ids")) {
    strncpy(ids, function, sizeof ids - 1);
  } else if (!strcmp(word, "delete")) {
    for (Kind kind = 0; kind < KINDS; kind++) {
      if (!strcmp(function, kind_names[kind])) take(kind, more);
    }
  } else if (!strcmp(word, "fail")) {
    rule_add(function, (HRESULT)number, 0, times);
  } else if (!strcmp(word, "slow")) {
    rule_add(function, 0, number, -1);
  } else if (!strcmp(word, "work")) {
    forget_rules();
  } else if (!strcmp(word, "call") && number) {
    Rule *rule = rule_for(function, 1);
    if (rule && rule->left > 0 && rule->status == (HRESULT)number) rule->left--;
  }
}

static char *read_from(LONGLONG start, size_t *length) {
  LARGE_INTEGER size, at;
  DWORD got = 0;
  char *text;
  GetFileSizeEx(journal, &size);
  *length = size.QuadPart > start ? (size_t)(size.QuadPart - start) : 0;
  text = calloc(1, *length + 1);
  at.QuadPart = start;
  SetFilePointerEx(journal, at, NULL, FILE_BEGIN);
  ReadFile(journal, text, (DWORD)*length, &got, NULL);
  *length = got;
  text[got] = 0;
  return text;
}

/* Whether the journal still starts with the line that it did. */
static int same_generation(void) {
  char start[sizeof generation] = "";
  LARGE_INTEGER zero = {0}, size;
  DWORD got = 0;
  GetFileSizeEx(journal, &size);
  if (size.QuadPart < position) return 0;
  SetFilePointerEx(journal, zero, NULL, FILE_BEGIN);
  ReadFile(journal, start, sizeof start - 1, &got, NULL);
  start[strcspn(start, "\r\n")] = 0;
  return !strcmp(start, generation);
}

/* Reads what others have appended. */
static void catch_up(void) {
  size_t length;
  char *text, *line, *end;
  if (!same_generation()) forget();
  text = read_from(position, &length);
  /* What does not end yet is being written. */
  for (line = text; (end = strchr(line, '\n')); line = end + 1) {
    *end = 0;
    if (end > line && end[-1] == '\r') end[-1] = 0;
    if (position == 0 && line == text) strncpy(generation, line, sizeof generation - 1);
    replay(line);
  }
  position += line - text;
  free(text);
}

/* Appends a line and takes it. */
static void record(Text *line) {
  LARGE_INTEGER zero = {0};
  DWORD written;
  char *copy = strdup(line->text);
  text_put(line, "\n");
  SetFilePointerEx(journal, zero, NULL, FILE_END);
  WriteFile(journal, line->text, (DWORD)line->length, &written, NULL);
  position += written;
  replay(copy);
  free(copy);
  free(line->text);
  memset(line, 0, sizeof *line);
}

static char *utf8(PCWSTR wide) {
  int length = WideCharToMultiByte(CP_UTF8, 0, wide ? wide : L"", -1, NULL, 0, NULL, NULL);
  char *text = calloc(1, (size_t)length + 1);
  WideCharToMultiByte(CP_UTF8, 0, wide ? wide : L"", -1, text, length, NULL, NULL);
  return text;
}

/* Hands text to the caller, who frees it with CoTaskMemFree. */
static void give(PWSTR *to, const char *text) {
  int length = MultiByteToWideChar(CP_UTF8, 0, text, -1, NULL, 0);
  if (!to) return;
  *to = CoTaskMemAlloc((size_t)length * sizeof(WCHAR));
  MultiByteToWideChar(CP_UTF8, 0, text, -1, *to, length);
}

static void id_text(const GUID *id, char *text) {
  sprintf(text, "%08lX-%04X-%04X-%02X%02X-%02X%02X%02X%02X%02X%02X", id->Data1, id->Data2, id->Data3, id->Data4[0],
          id->Data4[1], id->Data4[2], id->Data4[3], id->Data4[4], id->Data4[5], id->Data4[6], id->Data4[7]);
}

static void capitals(char *text) {
  for (; text && *text; text++) *text = (char)toupper((unsigned char)*text);
}

static const char *sentence(HRESULT status) {
  switch ((DWORD)status) {
    case (DWORD)NOT_FOUND: return "Element not found.";
    case (DWORD)NETWORK_NOT_FOUND: return "The network was not found.";
    case (DWORD)ENDPOINT_NOT_FOUND: return "The endpoint was not found.";
    case (DWORD)INVALID_ENDPOINT: return "The endpoint is invalid.";
    case (DWORD)PORT_EXISTS: return "The specified port already exists.";
    case (DWORD)INVALID_JSON: return "The JSON document is invalid.";
    case (DWORD)INVALID_IP: return "The IP address is invalid.";
    case (DWORD)ALREADY_EXISTS: return "Cannot create a file when that file already exists.";
    case 0x800706b5: return "The interface is unknown.";
    case 0x80004001: return "Not implemented";
    default: return "The operation failed.";
  }
}

/* A call that is going on. */
typedef struct {
  const char *function;
  char id[37];
  HRESULT status;
} Call;

/* Begins a call: takes the lock, and fails where the journal says so. */
static int begin(Call *call, const char *function) {
  Rule *rule;
  memset(call, 0, sizeof *call);
  call->function = function;
  WaitForSingleObject(lock, INFINITE);
  if (journal == INVALID_HANDLE_VALUE) {
    WCHAR path[1024];
    if (GetEnvironmentVariableW(L"PORTOLAN_HNS", path, 1024)) {
      journal = CreateFileW(path, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                            NULL, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
    }
    if (journal == INVALID_HANDLE_VALUE) {
      fprintf(stderr, "computenetwork.dll: PORTOLAN_HNS must name a file that can be written\n");
      abort();
    }
  }
  catch_up();
  rule = rule_for(function, 0);
  if (rule) {
    DWORD delay = rule->delay;
    ReleaseMutex(lock);
    Sleep(delay);
    WaitForSingleObject(lock, INFINITE);
    catch_up();
  }
  rule = rule_for(function, 1);
  if (rule) call->status = rule->status;
  return SUCCEEDED(call->status);
}

/* Ends a call: records it, and says in words what is wrong. */
static HRESULT end(Call *call, PWSTR *error) {
  char line[256];
  Text text = {0};
  sprintf(line, "call %s 0x%08lx%s%s", call->function, (DWORD)call->status, *call->id ? " " : "", call->id);
  text_put(&text, line);
  record(&text);
  ReleaseMutex(lock);
  if (error) *error = NULL;
  if (FAILED(call->status)) {
    text_put(&text, "{\"Success\":false,\"Error\":");
    json_quote(&text, sentence(call->status));
    sprintf(line, ",\"ErrorCode\":%lu}", (DWORD)call->status);
    text_put(&text, line);
    give(error, text.text);
    free(text.text);
  }
  return call->status;
}

/* Whether a thing is one that the filter of a query asks for. */
static int matches(const Thing *thing, const Json *filter) {
  for (Json *want = filter ? filter->first : NULL; want; want = want->next) {
    const char *name = strcmp(want->name, "VirtualNetwork") ? want->name : "HostComputeNetwork";
    if (!want->text || _stricmp(json_text(thing->json, name), want->text)) return 0;
  }
  return 1;
}

static HRESULT enumerate(const char *function, Kind kind, PCWSTR query, PWSTR *out, PWSTR *error) {
  Call call;
  if (begin(&call, function)) {
    char *given = utf8(query);
    Json *object = *given ? json_object(given) : NULL;
    const char *filter = json_text(object, "Filter");
    Json *wanted = *filter ? json_object(filter) : NULL;
    if ((*given && !object) || (*filter && !wanted)) {
      call.status = INVALID_JSON;
    } else {
      Text text = {0};
      text_put(&text, "[");
      for (Thing *thing = first[kind]; thing; thing = thing->next) {
        if (!matches(thing, wanted)) continue;
        if (text.length > 1) text_put(&text, ",");
        json_quote(&text, thing->id);
      }
      text_put(&text, "]");
      give(out, text.text);
      free(text.text);
    }
    json_free(wanted);
    json_free(object);
    free(given);
  }
  return end(&call, error);
}

static HRESULT open_thing(const char *function, Kind kind, const GUID *id, void **out, PWSTR *error) {
  Call call;
  if (begin(&call, function)) {
    id_text(id, call.id);
    if (find(kind, call.id)) {
      Handle *handle = calloc(1, sizeof *handle);
      handle->kind = kind;
      handle->id = *id;
      *out = handle;
    } else {
      call.status = kind_missing[kind];
    }
  }
  return end(&call, error);
}

static HRESULT query_thing(const char *function, Kind kind, void *from, PWSTR *out, PWSTR *error) {
  Call call;
  if (begin(&call, function)) {
    Handle *handle = from;
    Thing *thing;
    id_text(&handle->id, call.id);
    thing = handle->kind == kind ? find(kind, call.id) : NULL;
    if (thing) {
      Text text = {0};
      json_write(&text, thing->json);
      give(out, text.text);
      free(text.text);
    } else {
      call.status = kind_missing[kind];
    }
  }
  return end(&call, error);
}

static HRESULT close_thing(const char *function, void *from) {
  Call call;
  begin(&call, function);
  id_text(&((Handle *)from)->id, call.id);
  free(from);
  return end(&call, NULL);
}

/* Whether a load balancer has this endpoint. */
static int has_endpoint(const Json *balancer, const char *id) {
  Json *list = json_field(balancer, "HostComputeEndpoints");
  for (Json *each = list ? list->first : NULL; each; each = each->next) {
    if (each->text && !strcmp(each->text, id)) return 1;
  }
  return 0;
}

static HRESULT delete_thing(const char *function, Kind kind, const GUID *id, PWSTR *error) {
  Call call;
  if (begin(&call, function)) {
    Thing *thing;
    id_text(id, call.id);
    thing = find(kind, call.id);
    if (!thing) {
      call.status = kind_missing[kind];
    } else if (kind == ENDPOINT && atoi(json_text(thing->json, "Flags")) & 1) {
      for (Thing *each = first[LOAD_BALANCER]; each; each = each->next) {
        if (has_endpoint(each->json, call.id)) call.status = INVALID_ENDPOINT;
      }
    }
    if (SUCCEEDED(call.status)) {
      Text line = {0};
      text_put(&line, "delete ");
      text_put(&line, kind_names[kind]);
      text_put(&line, " ");
      text_put(&line, call.id);
      record(&line);
    }
  }
  return end(&call, error);
}

static int is_address(const char *text) {
  return *text && !text[strspn(text, "0123456789abcdefABCDEF.:")];
}

/* What HNS says about a load balancer before it takes it; the endpoints' ids become capitals. */
static HRESULT check_balancer(const char *id, Json *json) {
  Json *endpoints = json_field(json, "HostComputeEndpoints"), *vips = json_field(json, "FrontendVIPs");
  Json *ports = json_field(json, "PortMappings");
  if (!ports || ports->kind != JSON_ARRAY || !ports->first) return INVALID_JSON;
  for (Json *each = endpoints ? endpoints->first : NULL; each; each = each->next) {
    capitals(each->text);
    if (!each->text || !find(ENDPOINT, each->text)) return ENDPOINT_NOT_FOUND;
  }
  for (Json *each = vips ? vips->first : NULL; each; each = each->next) {
    if (!each->text || !is_address(each->text)) return INVALID_IP;
  }
  return each_frontend(json, id, another_claims) ? PORT_EXISTS : S_OK;
}

/* What HNS says about an endpoint before it takes it; one without a MAC address gets one. */
static HRESULT check_endpoint(const char *id, const GUID *network, Json *json) {
  char of[37];
  Json *addresses = json_field(json, "IpConfigurations");
  if (network) {
    id_text(network, of);
    if (!find(NETWORK, of)) return NETWORK_NOT_FOUND;
    json_set_text(json, "HostComputeNetwork", of);
  }
  for (Json *each = addresses ? addresses->first : NULL; each; each = each->next) {
    if (!is_address(json_text(each, "IpAddress"))) return INVALID_IP;
  }
  if (!*json_text(json, "MacAddress")) {
    char mac[18];
    sprintf(mac, "00-15-%.2s-%.2s-%.2s-%.2s", id, id + 2, id + 4, id + 6);
    json_set_text(json, "MacAddress", mac);
  }
  return S_OK;
}

static void record_thing(Kind kind, const Json *json) {
  Text line = {0};
  text_put(&line, kind_names[kind]);
  text_put(&line, " ");
  json_write(&line, json);
  record(&line);
}

static HRESULT create(const char *function, Kind kind, const GUID *network, const GUID *given, PCWSTR settings,
                      void **out, PWSTR *error) {
  static const GUID zero;
  Call call;
  if (begin(&call, function)) {
    GUID id = *given;
    char *text = utf8(settings);
    Json *json = json_object(text);
    int brought = memcmp(given, &zero, sizeof zero);
    if (!brought || !strcmp(ids, "choose")) CoCreateGuid(&id);
    id_text(&id, call.id);
    if (brought && !strcmp(ids, "refuse")) {
      call.status = E_INVALIDARG;
    } else if (!json) {
      call.status = INVALID_JSON;
    } else if (find(kind, call.id)) {
      call.status = ALREADY_EXISTS;
    } else if (kind == ENDPOINT) {
      call.status = check_endpoint(call.id, network, json);
    } else if (kind == LOAD_BALANCER) {
      call.status = check_balancer(call.id, json);
    }
    if (SUCCEEDED(call.status)) {
      json_set_text(json, "ID", call.id);
      record_thing(kind, json);
      if (out) {
        Handle *handle = calloc(1, sizeof *handle);
        handle->kind = kind;
        handle->id = id;
        *out = handle;
      }
    }
    json_free(json);
    free(text);
  }
  return end(&call, error);
}

EXPORT HRESULT WINAPI HcnEnumerateNetworks(PCWSTR query, PWSTR *out, PWSTR *error) {
  return enumerate("HcnEnumerateNetworks", NETWORK, query, out, error);
}

EXPORT HRESULT WINAPI HcnOpenNetwork(const GUID *id, void **out, PWSTR *error) {
  return open_thing("HcnOpenNetwork", NETWORK, id, out, error);
}

EXPORT HRESULT WINAPI HcnQueryNetworkProperties(void *network, PCWSTR query, PWSTR *out, PWSTR *error) {
  (void)query;
  return query_thing("HcnQueryNetworkProperties", NETWORK, network, out, error);
}

EXPORT HRESULT WINAPI HcnCloseNetwork(void *network) { return close_thing("HcnCloseNetwork", network); }

EXPORT HRESULT WINAPI HcnCreateNetwork(const GUID *id, PCWSTR settings, void **out, PWSTR *error) {
  return create("HcnCreateNetwork", NETWORK, NULL, id, settings, out, error);
}

EXPORT HRESULT WINAPI HcnDeleteNetwork(const GUID *id, PWSTR *error) {
  return delete_thing("HcnDeleteNetwork", NETWORK, id, error);
}

EXPORT HRESULT WINAPI HcnEnumerateEndpoints(PCWSTR query, PWSTR *out, PWSTR *error) {
  return enumerate("HcnEnumerateEndpoints", ENDPOINT, query, out, error);
}

EXPORT HRESULT WINAPI HcnOpenEndpoint(const GUID *id, void **out, PWSTR *error) {
  return open_thing("HcnOpenEndpoint", ENDPOINT, id, out, error);
}

EXPORT HRESULT WINAPI HcnQueryEndpointProperties(void *endpoint, PCWSTR query, PWSTR *out, PWSTR *error) {
  (void)query;
  return query_thing("HcnQueryEndpointProperties", ENDPOINT, endpoint, out, error);
}

EXPORT HRESULT WINAPI HcnCloseEndpoint(void *endpoint) { return close_thing("HcnCloseEndpoint", endpoint); }

EXPORT HRESULT WINAPI HcnCreateEndpoint(void *network, const GUID *id, PCWSTR settings, void **out, PWSTR *error) {
  return create("HcnCreateEndpoint", ENDPOINT, &((Handle *)network)->id, id, settings, out, error);
}

EXPORT HRESULT WINAPI HcnDeleteEndpoint(const GUID *id, PWSTR *error) {
  return delete_thing("HcnDeleteEndpoint", ENDPOINT, id, error);
}

EXPORT HRESULT WINAPI HcnEnumerateLoadBalancers(PCWSTR query, PWSTR *out, PWSTR *error) {
  return enumerate("HcnEnumerateLoadBalancers", LOAD_BALANCER, query, out, error);
}

EXPORT HRESULT WINAPI HcnOpenLoadBalancer(const GUID *id, void **out, PWSTR *error) {
  return open_thing("HcnOpenLoadBalancer", LOAD_BALANCER, id, out, error);
}

EXPORT HRESULT WINAPI HcnQueryLoadBalancerProperties(void *balancer, PCWSTR query, PWSTR *out, PWSTR *error) {
  (void)query;
  return query_thing("HcnQueryLoadBalancerProperties", LOAD_BALANCER, balancer, out, error);
}

EXPORT HRESULT WINAPI HcnCloseLoadBalancer(void *balancer) { return close_thing("HcnCloseLoadBalancer", balancer); }

EXPORT HRESULT WINAPI HcnCreateLoadBalancer(const GUID *id, PCWSTR settings, void **out, PWSTR *error) {
  return create("HcnCreateLoadBalancer", LOAD_BALANCER, NULL, id, settings, out, error);
}

/* Takes the fields that it is given, and keeps the others. */
EXPORT HRESULT WINAPI HcnModifyLoadBalancer(void *balancer, PCWSTR settings, PWSTR *error) {
  Call call;
  if (begin(&call, "HcnModifyLoadBalancer")) {
    char *text = utf8(settings);
    Json *json = json_object(text);
    Thing *thing;
    id_text(&((Handle *)balancer)->id, call.id);
    thing = find(LOAD_BALANCER, call.id);
    if (!thing || !json) {
      call.status = thing ? INVALID_JSON : NOT_FOUND;
    } else {
      for (Json *field = thing->json->first; field; field = field->next) {
        if (!json_field(json, field->name)) {
          Text copy = {0};
          const char *at;
          json_write(&copy, field);
          at = copy.text;
          json_set(json, field->name, json_value(&at));
          free(copy.text);
        }
      }
      json_set_text(json, "ID", call.id);
      call.status = check_balancer(call.id, json);
      if (SUCCEEDED(call.status)) record_thing(LOAD_BALANCER, json);
    }
    json_free(json);
    free(text);
  }
  return end(&call, error);
}

EXPORT HRESULT WINAPI HcnDeleteLoadBalancer(const GUID *id, PWSTR *error) {
  return delete_thing("HcnDeleteLoadBalancer", LOAD_BALANCER, id, error);
}

/* That of vmcompute.dll: GET /globals/version, and nothing else. */
EXPORT HRESULT WINAPI HNSCall(PCWSTR method, PCWSTR path, PCWSTR request, PWSTR *response) {
  Call call;
  (void)request;
  if (begin(&call, "HNSCall")) {
    char answer[128];
    if (!wcscmp(method, L"GET") && !wcscmp(path, L"/globals/version")) {
      sprintf(answer, "{\"Success\":true,\"Output\":{\"Major\":%d,\"Minor\":%d}}", atoi(version),
              strchr(version, '.') ? atoi(strchr(version, '.') + 1) : 0);
    } else {
      strcpy(answer, "{\"Success\":false,\"Error\":\"Element not found.\"}");
    }
    give(response, answer);
  }
  return end(&call, NULL);
}

BOOL WINAPI DllMain(HINSTANCE library, DWORD reason, void *reserved) {
  (void)library;
  (void)reserved;
  if (reason == DLL_PROCESS_ATTACH) {
    forget();
    lock = CreateMutexW(NULL, FALSE, L"Local\\portolan-hns");
  }
  return lock != NULL;
}
