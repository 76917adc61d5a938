/* JSON, read whole: what a run that is resumed finds in its file. */
#ifndef BENCH_JSON_READ_H
#define BENCH_JSON_READ_H

#include <stdbool.h>

typedef enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_TEXT, JSON_LIST, JSON_OBJECT } json_kind;

typedef struct json {
    json_kind kind;
    char *name;   /* in an object; else NULL */
    char *text;   /* of JSON_TEXT */
    double value; /* of JSON_NUMBER; 0 or 1 of JSON_BOOL */
    struct json *first, *next;
} json;

/* NULL where the file is none or no JSON; *there: whether it could be read at all. Free with json_free. */
json *json_read(const char *path, bool *there);
void json_free(json *j);

/* The member of an object by its name; NULL where there is none (or j is NULL). */
const json *json_member(const json *j, const char *name);
/* A member's text, or "", its value, or 0. */
const char *json_text(const json *j, const char *name);
double json_value(const json *j, const char *name);

#endif
