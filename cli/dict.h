/* What the command's dict and its actions share. */
#ifndef CLI_DICT_H
#define CLI_DICT_H

#include "job.h"

enum { DICT_FILES_MOST = 6 };

typedef struct dict_action dict_action;

typedef struct dict_request {
    job job;
    const dict_action *action;
    const char *files[DICT_FILES_MOST]; /* the first is the dictionary */
    const ww_type *key, *value;
    uint64_t batch;
    bool creates;   /* an option of create's was given */
    ww_device *cpu; /* the file's: the job's own where that is a CPU */
    ww_dict *dict;
    ww_lsm *lsm; /* the dictionary in a GPU's memory, or NULL */
    ww_dict_info info;
    ww_file_array in[2];
    ww_array out[3];
} dict_request;

struct dict_action {
    const char *name;
    const char *files[DICT_FILES_MOST + 1]; /* what each is called */
    size_t needed, inputs; /* files that must be given; how many behind the first are read, the others written */
    bool writes, loads;    /* loads: a GPU can do it, once the file is in its memory */
    int (*run)(dict_request *r);
};

/* The actions, ended by one without a name. */
extern const dict_action dict_actions[];

/* Opens the dictionary, unless it is to be made, and does what is asked for. */
int dict_run(dict_request *r);

/* Whether the action makes the file. */
bool dict_makes(const dict_action *action);

#endif
