/* JSON as a tree, as much of it as HNS's settings need. Text is UTF-8. Nothing is freed but whole trees. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { JSON_WORD, JSON_STRING, JSON_ARRAY, JSON_OBJECT } JsonKind;

/* A value; text is that of a string, or of a number, true, false and null as they were written. */
typedef struct Json {
  JsonKind kind;
  char *text;
  char *name;
  struct Json *first;
  struct Json *next;
} Json;

/* Text that grows. */
typedef struct {
  char *text;
  size_t length;
  size_t room;
} Text;

static void text_add(Text *to, const char *bytes, size_t length) {
  if (to->length + length + 1 > to->room) {
    to->room = (to->length + length + 1) * 2;
    to->text = realloc(to->text, to->room);
  }
  memcpy(to->text + to->length, bytes, length);
  to->length += length;
  to->text[to->length] = 0;
}

static void text_put(Text *to, const char *string) { text_add(to, string, strlen(string)); }

static void json_free(Json *value) {
  while (value) {
    Json *next = value->next;
    json_free(value->first);
    free(value->text);
    free(value->name);
    free(value);
    value = next;
  }
}

static void json_space(const char **at) {
  while (isspace((unsigned char)**at)) (*at)++;
}

/* Reads a string after its quote; null where it does not end. */
static char *json_string(const char **at) {
  Text out = {0};
  text_add(&out, "", 0);
  for (;;) {
    char c = *(*at)++;
    if (c == '"') return out.text;
    if (!c) {
      (*at)--;
      free(out.text);
      return NULL;
    }
    if (c == '\\') {
      c = *(*at)++;
      if (c == 'u') {
        unsigned code = 0;
        if (sscanf(*at, "%4x", &code) != 1 || code > 0x7f) {
          free(out.text);
          return NULL;
        }
        *at += 4;
        c = (char)code;
      } else if (c == 'n') {
        c = '\n';
      } else if (c == 't') {
        c = '\t';
      } else if (c != '"' && c != '\\' && c != '/') {
        free(out.text);
        return NULL;
      }
    }
    text_add(&out, &c, 1);
  }
}

/* Reads a value; null where it is not JSON. */
static Json *json_value(const char **at) {
  Json *value = calloc(1, sizeof *value);
  json_space(at);
  if (**at == '"') {
    (*at)++;
    value->kind = JSON_STRING;
    value->text = json_string(at);
    if (value->text) return value;
  } else if (**at == '{' || **at == '[') {
    char end = **at == '{' ? '}' : ']';
    Json **last = &value->first;
    value->kind = end == '}' ? JSON_OBJECT : JSON_ARRAY;
    (*at)++;
    for (json_space(at); **at != end; json_space(at)) {
      char *name = NULL;
      if (value->first) {
        if (**at != ',') goto invalid;
        (*at)++;
        json_space(at);
      }
      if (value->kind == JSON_OBJECT) {
        if (**at != '"') goto invalid;
        (*at)++;
        name = json_string(at);
        json_space(at);
        if (!name || *(*at)++ != ':') {
          free(name);
          goto invalid;
        }
      }
      *last = json_value(at);
      if (!*last) {
        free(name);
        goto invalid;
      }
      (*last)->name = name;
      last = &(*last)->next;
    }
    (*at)++;
    return value;
  } else {
    const char *start = *at;
    while (isalnum((unsigned char)**at) || (**at && strchr("+-.", **at))) (*at)++;
    value->text = calloc(1, (size_t)(*at - start) + 1);
    memcpy(value->text, start, (size_t)(*at - start));
    if (*at > start) return value;
  }
invalid:
  json_free(value);
  return NULL;
}

/* Reads an object that is all of text; null where it is not one. */
static Json *json_object(const char *text) {
  Json *value = json_value(&text);
  if (!value) return NULL;
  json_space(&text);
  if (value->kind == JSON_OBJECT && !*text) return value;
  json_free(value);
  return NULL;
}

/* The field of an object, or null. */
static Json *json_field(const Json *object, const char *name) {
  for (Json *field = object ? object->first : NULL; field; field = field->next) {
    if (field->name && !strcmp(field->name, name)) return field;
  }
  return NULL;
}

/* The text of a field, or an empty one. */
static const char *json_text(const Json *object, const char *name) {
  Json *field = json_field(object, name);
  return field && field->text ? field->text : "";
}

/* Sets a field to a value that is its own from now on. */
static void json_set(Json *object, const char *name, Json *value) {
  Json **at = &object->first;
  while (*at && strcmp((*at)->name, name)) at = &(*at)->next;
  if (*at) {
    Json *old = *at;
    value->next = old->next;
    old->next = NULL;
    json_free(old);
  }
  free(value->name);
  value->name = strdup(name);
  *at = value;
}

static void json_set_text(Json *object, const char *name, const char *text) {
  Json *value = calloc(1, sizeof *value);
  value->kind = JSON_STRING;
  value->text = strdup(text);
  json_set(object, name, value);
}

static void json_quote(Text *to, const char *string) {
  text_put(to, "\"");
  for (; *string; string++) {
    if (*string == '"' || *string == '\\') {
      text_put(to, "\\");
      text_add(to, string, 1);
    } else if (*string == '\n') {
      text_put(to, "\\n");
    } else if (*string == '\t') {
      text_put(to, "\\t");
    } else {
      text_add(to, string, 1);
    }
  }
  text_put(to, "\"");
}

static void json_write(Text *to, const Json *value) {
  if (value->kind == JSON_STRING) {
    json_quote(to, value->text);
  } else if (value->kind == JSON_WORD) {
    text_put(to, value->text);
  } else {
    text_put(to, value->kind == JSON_OBJECT ? "{" : "[");
    for (const Json *each = value->first; each; each = each->next) {
      if (each != value->first) text_put(to, ",");
      if (each->name) {
        json_quote(to, each->name);
        text_put(to, ":");
      }
      json_write(to, each);
    }
    text_put(to, value->kind == JSON_OBJECT ? "}" : "]");
  }
}
