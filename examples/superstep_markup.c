/* Parsing nested tags, as the X3D parser does that BSGP was tried with (Hou, Zhou and Guo, 2008): a thread for each byte of
 * the text, of which those live on that stand at a tag. Sums of +1 and -1 give the tags' depths; in the order of depths an
 * opening tag and the one that closes it stand side by side, and an element's parent is the last one before it that is one
 * less deep. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <warpwise.h>

enum { ELEMENTS = 3000, TEXT_MOST = ELEMENTS * 32 };

WW_STRUCT(tags, {
    const char *text;
    uint32_t *at;    /* where the tag begins */
    int32_t *change; /* of the depth: 1 or -1 */
    uint8_t *ends;   /* the thread is to be killed */
    uint64_t *key;   /* depth, then place */
    const int32_t *depth;
    uint32_t *end; /* where the tag that closes it begins */
});

WW_KERNEL(find_tags, tags, t, rank, { t->ends[rank] = t->text[rank] != '<'; });
WW_KERNEL(look_at_tags, tags, t, rank, { t->change[rank] = t->text[t->at[rank] + 1] == '/' ? -1 : 1; });
/* A closing tag is as deep as the one that it closes. */
WW_KERNEL(make_keys, tags, t, rank, {
    const uint64_t depth = (uint64_t)(t->depth[rank] + (t->change[rank] < 0));
    t->key[rank] = depth << 32 | t->at[rank];
});
WW_KERNEL(match, tags, t, rank, {
    const uint8_t closes = t->change[rank] < 0;
    if (!closes) t->end[rank] = t->at[rank + 1];
    t->ends[rank] = closes;
});
WW_MAP(one_less_deep, uint64_t, uint64_t, key, void, none, { return key - ((uint64_t)1 << 32); });

/* Random nested elements in one root; returns the length. */
static uint32_t write_text(char *text) {
    uint64_t random = 1;
    uint32_t length = 0, depth = 0;
    for (uint32_t opened = 0; opened < ELEMENTS || depth;) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const int open = opened < ELEMENTS && (depth < 2 || (random >> 40) % 16 > depth);
        length += (uint32_t)sprintf(text + length, open ? "<n%u>" : "</n>ab", (unsigned)(opened % 100));
        opened += open ? 1 : 0;
        depth += open ? 1 : UINT32_MAX;
        if (!depth && opened < ELEMENTS) length -= 6, depth = 1; /* the root stays open */
    }
    return length;
}

/* The same serially, with a stack: elements by depth and place are looked up by place. How many are otherwise. */
static size_t check(const char *text, uint32_t length, const uint64_t *key, const uint32_t *end, const uint32_t *parent,
                    uint32_t many) {
    static uint32_t stack[ELEMENTS + 1], wanted_parent[TEXT_MOST], wanted_end[TEXT_MOST];
    uint32_t depth = 0, opened = 0;
    size_t wrong = 0;
    for (uint32_t i = 0; i < length; i++) {
        if (text[i] != '<') continue;
        if (text[i + 1] == '/') {
            wanted_end[stack[--depth]] = i;
        } else {
            wanted_parent[i] = depth ? stack[depth - 1] : UINT32_MAX;
            stack[depth++] = i;
            opened++;
        }
    }
    for (uint32_t e = 0; e < many; e++) {
        const uint32_t at = (uint32_t)key[e];
        wrong += end[e] != wanted_end[at];
        if (e) wrong += parent[e] - 1 >= e || (uint32_t)key[parent[e] - 1] != wanted_parent[at];
    }
    return wrong + (many != opened);
}

typedef struct parser {
    ww_device *device;
    ww_team *team;
    ww_column at, change, ends, key, depth, end;
    const char *text;
} parser;

static tags tags_of(const parser *p) {
    tags t = {p->text,
              (uint32_t *)ww_team_data(p->team, p->at),
              (int32_t *)ww_team_data(p->team, p->change),
              (uint8_t *)ww_team_data(p->team, p->ends),
              (uint64_t *)ww_team_data(p->team, p->key),
              (const int32_t *)ww_team_data(p->team, p->depth),
              (uint32_t *)ww_team_data(p->team, p->end)};
    return t;
}

static ww_status kill(const parser *p) { return ww_team_kill(p->team, ww_from(ww_team_array(p->team, p->ends)), NULL); }

static ww_status start(parser *p, uint32_t length) {
    ww_status s = ww_team_create(p->device, length, &p->team);
    if (!s) s = ww_team_add(p->team, ww_counting(&ww_type_uint32_t, 0, length), &p->at);
    if (!s) s = ww_team_add(p->team, ww_constant(ww_value(uint8_t, 0), length), &p->ends);
    tags t = tags_of(p);
    if (!s) s = ww_team_step(p->team, ww_with(find_tags, &t));
    if (!s) s = kill(p);
    const uint64_t many = ww_team_size(p->team);
    if (!s) s = ww_team_add(p->team, ww_constant(ww_value(int32_t, 0), many), &p->change);
    if (!s) s = ww_team_add(p->team, ww_constant(ww_value(int32_t, 0), many), &p->depth);
    if (!s) s = ww_team_add(p->team, ww_constant(ww_value(uint64_t, 0), many), &p->key);
    return s ? s : ww_team_add(p->team, ww_constant(ww_value(uint32_t, 0), many), &p->end);
}

static ww_status parse(const parser *p) {
    tags t = tags_of(p);
    ww_status s = ww_team_step(p->team, ww_with(look_at_tags, &t));
    if (!s)
        s = ww_scan(p->device, &ww_add, ww_from(ww_team_array(p->team, p->change)), ww_team_array(p->team, p->depth),
                    NULL);
    if (!s) s = ww_team_step(p->team, ww_with(make_keys, &t));
    if (!s) s = ww_team_sort_by(p->team, NULL, ww_from(ww_team_array(p->team, p->key)), NULL);
    t = tags_of(p);
    if (!s) s = ww_team_step(p->team, ww_with(match, &t));
    return s ? s : kill(p);
}

int main(void) {
    static char text[TEXT_MOST];
    static uint64_t key[ELEMENTS];
    static uint32_t end[ELEMENTS], parent[ELEMENTS];
    const uint32_t length = write_text(text);
    void *there = NULL;
    parser p = {NULL, NULL, 0, 0, 0, 0, 0, 0, NULL};
    ww_status s = ww_open(NULL, &p.device);
    if (!s) s = ww_alloc(p.device, length, &there);
    if (!s) s = ww_copy(p.device, ww_memory(text, length), ww_array((char *)there, length));
    p.text = (const char *)there;
    if (!s) s = start(&p, length);
    if (!s) s = parse(&p);
    const uint64_t many = s ? 0 : ww_team_size(p.team);
    const ww_input keys = ww_from(ww_team_array(p.team, p.key));
    if (!s && many <= ELEMENTS) {
        s = ww_upper_bound(p.device, NULL, keys, ww_mapped(&one_less_deep_ww, keys), ww_array(parent, many));
        if (!s) s = ww_copy(p.device, keys, ww_array(key, many));
        if (!s) s = ww_copy(p.device, ww_from(ww_team_array(p.team, p.end)), ww_array(end, many));
    }
    if (!s) s = ww_sync(p.device);
    if (s) fprintf(stderr, "superstep_markup: %s\n", ww_error(p.device));
    const size_t wrong = s || many > ELEMENTS ? 1 : check(text, length, key, end, parent, (uint32_t)many);
    if (!s)
        printf("%u bytes, %llu elements with their ends and parents: %s\n", length, (unsigned long long)many,
               wrong ? "WRONG" : "right");
    ww_team_destroy(p.team);
    ww_free(p.device, there);
    ww_close(p.device);
    return wrong != 0;
}
