/* One JSON-RPC request on standard input, one answer on standard output. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char request[1 << 16];
static const char *place;
static const char *trouble;

static double total(void);

static int take(char symbol) {
  while (isspace((unsigned char)*place)) place++;
  if (*place != symbol) return 0;
  place++;
  return 1;
}

static double atom(void) {
  if (take('(')) {
    double value = total();
    if (!take(')')) trouble = "a parenthesis is missing";
    return value;
  }
  char *end;
  double value = isdigit((unsigned char)*place) || *place == '.' ? strtod(place, &end) : (end = (char *)place, 0);
  if (end == place) trouble = "not a number";
  place = end;
  return value;
}

static double raised(double base, double exponent) {
  double value = 1;
  for (int i = 0; i < (int)exponent; i++) value *= base;
  return value;
}

static double sign(void) {
  if (take('-')) return -sign();
  take('+');
  double value = atom();
  if (take('^')) return raised(value, sign());
  while (isspace((unsigned char)*place)) place++;
  if (place[0] == '*' && place[1] == '*') {
    place += 2;
    return raised(value, sign());
  }
  return value;
}

static double product(void) {
  double value = sign();
  for (;;) {
    if (take('*')) {
      value *= sign();
    } else if (take('/')) {
      double other = sign();
      if (other == 0) trouble = "division by zero";
      else value /= other;
    } else if (take('%')) {
      long other = (long)sign();
      if (other == 0) trouble = "division by zero";
      else value = (double)((long)value % other);
    } else {
      return value;
    }
  }
}

static double total(void) {
  double value = product();
  for (;;) {
    if (take('+')) value += product();
    else if (take('-')) value -= product();
    else return value;
  }
}

/* The text member of this name, its escapes undone; NULL if there is none. */
static char *member(const char *name) {
  static char found[4][1 << 14];
  static int used;
  char key[64];
  snprintf(key, sizeof key, "\"%s\"", name);
  const char *at = strstr(request, key);
  if (!at || used == 4) return NULL;
  at += strlen(key);
  while (*at == ':' || isspace((unsigned char)*at)) at++;
  if (*at++ != '"') return NULL;
  char *text = found[used++], *end = text;
  while (*at && *at != '"' && end < text + sizeof found[0] - 1) {
    if (*at == '\\' && at[1]) {
      at++;
      *end++ = *at == 'n' ? '\n' : *at == 't' ? '\t' : *at;
      at++;
    } else {
      *end++ = *at++;
    }
  }
  *end = 0;
  return text;
}

static int within(unsigned char byte) { return (byte & 0xC0) == 0x80; }

/* The text from its end, whole UTF-8 characters kept. */
static void reverse(const char *text, char *into) {
  size_t end = strlen(text);
  while (end > 0) {
    size_t start = end - 1;
    while (start > 0 && within((unsigned char)text[start])) start--;
    memcpy(into, text + start, end - start);
    into += end - start;
    end = start;
  }
  *into = 0;
}

static void print_text(const char *text) {
  putchar('"');
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') printf("\\%c", *text);
    else if (*text == '\n') fputs("\\n", stdout);
    else if (*text == '\t') fputs("\\t", stdout);
    else putchar(*text);
  }
  putchar('"');
}

int main(void) {
  static char reversed[1 << 14];
  request[fread(request, 1, sizeof request - 1, stdin)] = 0;
  const char *id = strstr(request, "\"id\"");
  id = id ? strchr(id, ':') + 1 : "null";
  while (isspace((unsigned char)*id)) id++;
  int length = *id == '"' ? (int)(strchr(id + 1, '"') - id) + 1 : (int)strcspn(id, ",} \n");
  printf("{\"jsonrpc\":\"2.0\",\"id\":%.*s,", length, id);

  char *expression = member("expression"), *operation = member("operation"), *text = member("text");
  if (expression) {
    place = expression;
    double value = total();
    while (isspace((unsigned char)*place)) place++;
    if (*place) trouble = "not an expression";
    if (!trouble) printf("\"result\":{\"output\":%.12g}", value);
  } else if (operation && text && !strcmp(operation, "reverse")) {
    reverse(text, reversed);
    fputs("\"result\":{\"output\":", stdout);
    print_text(reversed);
    putchar('}');
  } else if (operation && text && !strcmp(operation, "palindrome")) {
    char *end = text;
    for (char *byte = text; *byte; byte++)
      if (isalnum((unsigned char)*byte) || (*byte & 0x80)) *end++ = (char)tolower((unsigned char)*byte);
    *end = 0;
    reverse(text, reversed);
    printf("\"result\":{\"output\":%s}", strcmp(text, reversed) ? "false" : "true");
  } else {
    trouble = "unknown operation";
  }
  if (trouble) printf("\"error\":{\"code\":-32602,\"message\":\"%s\"}", trouble);
  puts("}");
  return 0;
}
