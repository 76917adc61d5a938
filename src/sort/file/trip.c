/* Two buffers take turns. While chunk c is sorted in one of them, chunk c - 1 goes out of the other, and chunk c + 1 comes into it
 * behind that, piece by piece: so two buffers are enough for three chunks.
 *
 *     the reader may fill a piece when what lay there has gone; the caller sorts a chunk when all of it has come;
 *     the writer takes a chunk when it is sorted
 *
 * All of that is three counters behind one lock. Where no thread can be started the caller does these things one after another. */
#include "sort/file/trip.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

/* ---- the state ---- */

static void change(ww__trip *t, uint64_t *counter, uint64_t value) {
    pthread_mutex_lock(&t->lock);
    *counter = value;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
}

static void note_done(ww__trip *t, uint64_t bytes) {
    pthread_mutex_lock(&t->lock);
    t->done += bytes;
    pthread_mutex_unlock(&t->lock);
}

/* The first problem counts. One that came of stopping is none. */
static void fail(ww__trip *t, ww__trip_problem problem, int number, uint64_t at) {
    pthread_mutex_lock(&t->lock);
    if (!t->stop) {
        t->problem = problem;
        t->number = number;
        t->at = at;
    }
    t->stop = true;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
}

/* On the calling thread only, without the lock. */
static void ask(ww__trip *t) {
    pthread_mutex_lock(&t->lock);
    const uint64_t done = t->done;
    pthread_mutex_unlock(&t->lock);
    if (t->tell(t->context, done)) return;
    pthread_mutex_lock(&t->lock);
    t->stopped_by_caller = !t->stop;
    t->stop = true;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
}

bool ww__trip_goes_on(void *trip) {
    ww__trip *t = trip;
    if (!t->threads) ask(t);
    pthread_mutex_lock(&t->lock);
    const bool goes_on = !t->stop;
    pthread_mutex_unlock(&t->lock);
    return goes_on;
}

static unsigned char *buffer_of(const ww__trip *t, uint64_t chunk) {
    return t->to.runs && t->to.runs->memory ? t->to.runs->memory + chunk * t->chunk * t->size
                                            : t->buffer[chunk % WW__TRIP_BUFFERS];
}

/* ---- coming ---- */

static bool stays(const ww__trip *t) { return t->to.runs && t->to.runs->memory; }

/* Waits until the chunk's buffer is free up to some byte. False: the trip has been stopped. */
static bool wait_for_room(ww__trip *t, uint64_t chunk, uint64_t bytes) {
    pthread_mutex_lock(&t->lock);
    while (!t->stop && !stays(t) && chunk >= WW__TRIP_BUFFERS && t->gone < chunk - 1 &&
           !(t->gone == chunk - WW__TRIP_BUFFERS && t->gone_bytes >= bytes)) {
        pthread_cond_wait(&t->changed, &t->lock);
    }
    const bool goes_on = !t->stop;
    pthread_mutex_unlock(&t->lock);
    return goes_on;
}

/* Bytes that have been read ahead come first. */
static bool read_piece(ww__trip *t, unsigned char *to, size_t bytes, uint64_t at, size_t *got) {
    const ww__trip_from *f = &t->from;
    const size_t ahead = !f->input->positional && at < f->head_bytes ? (size_t)ww__min_u64(bytes, f->head_bytes - at)
                                                                     : 0;
    if (ahead) memcpy(to, f->head + at, ahead);
    const bool well = ww__channel_read(f->input, to + ahead, bytes - ahead, f->first + at + ahead, got);
    *got += ahead;
    if (!well) fail(t, WW__TRIP_INPUT, errno, f->first + at + *got);
    return well;
}

/* The input has ended. What there is of a chunk whose end was not known is one all the same. */
static bool end_input(ww__trip *t, uint64_t chunk, uint64_t bytes) {
    const uint64_t all = chunk * t->chunk * t->size + bytes;
    if (t->n == UINT64_MAX && all % t->size == 0) {
        t->count[chunk % WW__TRIP_BUFFERS] = bytes / t->size;
        t->n = all / t->size;
        change(t, &t->chunks, chunk + (bytes > 0));
        return true;
    }
    fail(t, t->from.input->positional ? WW__TRIP_SHRANK : WW__TRIP_ENDED, 0, all);
    return false;
}

/* A pipe whose header says how much there is has nothing more. */
static bool has_ended(ww__trip *t, uint64_t at) {
    unsigned char next;
    size_t got;
    if (t->from.input->positional || t->n == UINT64_MAX) return true;
    if (!read_piece(t, &next, 1, at, &got)) return false;
    if (got) fail(t, WW__TRIP_LONGER, 0, at);
    return !got;
}

static bool bring_input(ww__trip *t, uint64_t chunk, unsigned char *to) {
    const uint64_t first = chunk * t->chunk;
    const uint64_t elements = t->n == UINT64_MAX ? t->chunk : ww__min_u64(t->chunk, t->n - first);
    const uint64_t bytes = elements * t->size;
    for (uint64_t at = 0; at < bytes;) {
        size_t got;
        const size_t piece = (size_t)ww__min_u64(WW__TRIP_PIECE, bytes - at);
        if (!wait_for_room(t, chunk, at + piece)) return false;
        if (!read_piece(t, to + at, piece, first * t->size + at, &got)) return false;
        note_done(t, got);
        at += got;
        if (got < piece) return end_input(t, chunk, at);
    }
    if (!stays(t)) t->count[chunk % WW__TRIP_BUFFERS] = elements;
    return t->chunks != chunk + 1 || has_ended(t, first * t->size + bytes);
}

static bool copy_piece(ww__trip *t, unsigned char *to, const ww__file_runs *r, uint64_t at, size_t bytes) {
    size_t got = 0;
    if (r->memory) {
        memcpy(to, r->memory + at, bytes);
        return ww__trip_goes_on(t);
    }
    const bool well = ww__channel_read(r->file, to, bytes, at, &got);
    if (well && got == bytes) return true;
    fail(t, WW__TRIP_TEMPORARY_READ, well ? EIO : errno, at + got);
    return false;
}

/* Blocks of the disk of which all has been read are given back, but for those that two pieces share. */
static void give_back(const ww__trip *t, uint64_t run) {
    enum { LEAST = 1 << 16 };
    const ww__file_runs *r = t->from.runs;
    ww__file_cut_run *const c = &t->from.cut->run[run];
    if (r->memory || (c->end - c->punched) * r->size < LEAST) return;
    const uint64_t begin = ww__file_run_at(r, t->from.cut->first + run, c->punched);
    const uint64_t end = ww__file_run_at(r, t->from.cut->first + run, c->end) / WW__DIRECT_BYTES * WW__DIRECT_BYTES;
    const uint64_t from = ww__round_up(begin, WW__DIRECT_BYTES);
    if (from < end) ww__channel_punch(r->file, from, end - from);
    c->punched = c->end;
}

static void look_ahead(const ww__trip *t, uint64_t run) {
    const ww__file_runs *r = t->from.runs;
    const ww__file_cut *cut = t->from.cut;
    while (++run < cut->count && cut->run[run].end == cut->run[run].begin) {}
    if (r->memory || run >= cut->count) return;
    const ww__file_cut_run *c = &cut->run[run];
    ww__channel_ahead(r->file, ww__file_run_at(r, cut->first + run, c->begin),
                      ww__min_u64(WW__TRIP_PIECE, (c->end - c->begin) * r->size));
}

static bool bring_run(ww__trip *t, uint64_t chunk, uint64_t run, unsigned char *to, uint64_t *filled) {
    const ww__file_runs *r = t->from.runs;
    const ww__file_cut_run *c = &t->from.cut->run[run];
    const uint64_t from = ww__file_run_at(r, t->from.cut->first + run, c->begin), bytes = (c->end - c->begin) * r->size;
    if (bytes) look_ahead(t, run);
    for (uint64_t at = 0; at < bytes;) {
        const size_t piece = (size_t)ww__min_u64(WW__TRIP_PIECE, bytes - at);
        if (!wait_for_room(t, chunk, *filled + piece)) return false;
        if (!copy_piece(t, to + *filled, r, from + at, piece)) return false;
        note_done(t, r->memory ? 0 : piece);
        *filled += piece;
        at += piece;
    }
    give_back(t, run);
    return true;
}

/* The pieces of runs that are the chunk: of the next runs, where those before have been merged to their end. */
static bool cut_pieces(const ww__trip *t, uint64_t first, uint64_t elements) {
    const ww__file_runs *r = t->from.runs;
    const uint64_t run = first / r->length, runs = ww__min_u64(t->from.group, ww__file_runs_count(r) - run);
    if (first % (t->from.group * r->length) == 0 && !ww__file_cut_begin(t->from.cut, run, runs)) return false;
    return ww__file_cut_next(t->from.cut, elements);
}

static bool bring_pieces(ww__trip *t, uint64_t chunk, unsigned char *to) {
    const uint64_t first = chunk * t->chunk, elements = ww__min_u64(t->chunk, t->n - first);
    uint64_t filled = 0;
    if (!cut_pieces(t, first, elements)) {
        fail(t, WW__TRIP_TEMPORARY_READ, errno, ww__file_run_at(t->from.runs, first / t->from.runs->length, 0));
        return false;
    }
    for (uint64_t run = 0; run < t->from.cut->count; run++)
        if (!bring_run(t, chunk, run, to, &filled)) return false;
    t->count[chunk % WW__TRIP_BUFFERS] = elements;
    return true;
}

/* A .npy file's header stands before the first element, so that an output's bytes lie in the buffer as they do in the file's
 * blocks. */
static size_t shift_of(const ww__trip *t) { return t->to.header_bytes; }

static bool bring(ww__trip *t, uint64_t chunk) {
    unsigned char *const to = buffer_of(t, chunk) + shift_of(t);
    if (!(t->from.input ? bring_input(t, chunk, to) : bring_pieces(t, chunk, to))) return false;
    change(t, &t->came, chunk + 1);
    return true;
}

static uint64_t chunks_of(ww__trip *t) {
    pthread_mutex_lock(&t->lock);
    const uint64_t chunks = t->chunks;
    pthread_mutex_unlock(&t->lock);
    return chunks;
}

static void *bring_all(void *trip) {
    ww__trip *t = trip;
    uint64_t chunk = t->came;
    while (chunk < chunks_of(t) && bring(t, chunk)) chunk++;
    return NULL;
}

/* ---- going ---- */

static bool put(ww__trip *t, ww__trip_problem problem, const ww__channel *to, const unsigned char *from, uint64_t bytes,
                uint64_t at, uint64_t skipped) {
    for (uint64_t gone = 0; gone < bytes;) {
        size_t done;
        const size_t piece = (size_t)ww__min_u64(WW__TRIP_PIECE, bytes - gone);
        const bool well = ww__channel_write(to, from + gone, piece, at + gone, &done);
        note_done(t, done);
        gone += done;
        if (!well) {
            fail(t, problem, errno, at + gone);
            return false;
        }
        if (gone > skipped) change(t, &t->gone_bytes, gone - skipped);
    }
    return true;
}

static bool send_output(ww__trip *t, uint64_t chunk) {
    const ww__trip_to *o = &t->to;
    const uint64_t bytes = t->count[chunk % WW__TRIP_BUFFERS] * t->size,
                   at = o->header_bytes + chunk * t->chunk * t->size;
    unsigned char *const from = t->buffer[chunk % WW__TRIP_BUFFERS];
    if (chunk) return put(t, WW__TRIP_OUTPUT, o->output, from + shift_of(t), bytes, at, 0);
    memcpy(from, o->header, o->header_bytes);
    return put(t, WW__TRIP_OUTPUT, o->output, from, o->header_bytes + bytes, 0, o->header_bytes);
}

/* Keys of the chunk's elements that are samples of the run which it is a part of. */
static void take_samples(const ww__trip *t, uint64_t first, uint64_t count, const unsigned char *elements) {
    const ww__file_runs *r = t->to.runs;
    const uint64_t step = ww__file_runs_step(r), in_run = first % r->length;
    if (!ww__file_runs_samples(r)) return;
    for (uint64_t s = (in_run + step - 1) / step; s * step < in_run + count; s++)
        memcpy(t->to.samples + s * r->key->bytes, elements + (s * step - in_run) * r->size + r->key->first,
               r->key->bytes);
}

static bool send_to_run(ww__trip *t, uint64_t chunk) {
    const ww__file_runs *r = t->to.runs;
    const uint64_t first = chunk * t->chunk, count = t->count[chunk % WW__TRIP_BUFFERS], run = first / r->length;
    const unsigned char *from = t->buffer[chunk % WW__TRIP_BUFFERS];
    size_t done;
    take_samples(t, first, count, from);
    if ((first + count) % r->length == 0 || chunk + 1 == chunks_of(t)) {
        const uint64_t at = ww__file_run_samples_at(r, run);
        if (!ww__channel_write(r->file, t->to.samples, WW__SAMPLES_BYTES, at, &done)) {
            fail(t, WW__TRIP_TEMPORARY_WRITE, errno, at);
            return false;
        }
    }
    return put(t, WW__TRIP_TEMPORARY_WRITE, r->file, from, count * t->size, ww__file_run_at(r, run, first % r->length),
               0);
}

static bool send(ww__trip *t, uint64_t chunk) {
    if (!(t->to.output ? send_output(t, chunk) : send_to_run(t, chunk))) return false;
    pthread_mutex_lock(&t->lock);
    t->gone = chunk + 1;
    t->gone_bytes = 0;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
    return true;
}

/* Waits until a chunk is sorted. False: it never will be. */
static bool wait_for_sorted(ww__trip *t, uint64_t chunk) {
    pthread_mutex_lock(&t->lock);
    while (!t->stop && t->sorted <= chunk && chunk < t->chunks) pthread_cond_wait(&t->changed, &t->lock);
    const bool is_sorted = !t->stop && t->sorted > chunk;
    pthread_mutex_unlock(&t->lock);
    return is_sorted;
}

static void *send_all(void *trip) {
    ww__trip *t = trip;
    for (uint64_t chunk = 0; wait_for_sorted(t, chunk) && send(t, chunk); chunk++) {}
    return NULL;
}

/* ---- the caller's part ---- */

/* Waits, with the caller told of it, until a counter is above a chunk. False: it never will be. */
static bool wait_for(ww__trip *t, const uint64_t *counter, uint64_t chunk) {
    enum { TELL_NS = 100000000 };
    for (;;) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += TELL_NS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_mutex_lock(&t->lock);
        int waited = 0;
        while (!t->stop && *counter <= chunk && chunk < t->chunks && !waited)
            waited = pthread_cond_timedwait(&t->changed, &t->lock, &until);
        const bool reached = !t->stop && *counter > chunk, over = t->stop || chunk >= t->chunks;
        pthread_mutex_unlock(&t->lock);
        if (reached || over) return reached;
        ask(t);
    }
}

static void stop(ww__trip *t) {
    pthread_mutex_lock(&t->lock);
    t->stop = true;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
}

/* Chunks that stay come as fast as they can, ahead of those that are sorted. */
static uint64_t count_of(const ww__trip *t, uint64_t chunk) {
    return stays(t) ? ww__min_u64(t->chunk, t->n - chunk * t->chunk) : t->count[chunk % WW__TRIP_BUFFERS];
}

static ww_status sort_chunk(ww__trip *t, uint64_t chunk) {
    const uint64_t count = count_of(t, chunk);
    ask(t);
    const ww_status status = t->sort(t->context, buffer_of(t, chunk) + shift_of(t), count);
    if (status) {
        stop(t);
        return status;
    }
    change(t, &t->sorted, chunk + 1);
    if (stays(t)) change(t, &t->gone, chunk + 1);
    return WW_OK;
}

static ww_status sort_all(ww__trip *t) {
    uint64_t chunk = 0;
    for (; wait_for(t, &t->came, chunk); chunk++) WW_TRY(sort_chunk(t, chunk));
    if (chunk) wait_for(t, &t->gone, chunk - 1);
    return WW_OK;
}

static ww_status do_all(ww__trip *t) {
    for (uint64_t chunk = 0; chunk < t->chunks; chunk++) {
        if (chunk >= t->came && !bring(t, chunk)) return WW_OK;
        if (chunk >= t->chunks) return WW_OK; /* it has turned out that there is no such chunk */
        WW_TRY(sort_chunk(t, chunk));
        if (!stays(t) && (!ww__trip_goes_on(t) || !send(t, chunk))) return WW_OK;
    }
    return WW_OK;
}

/* Signals are the caller's threads'. */
static bool start(pthread_t *thread, void *(*function)(void *), ww__trip *t) {
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    const int failed = pthread_create(thread, NULL, function, t);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return !failed;
}

ww_status ww__trip_make(ww__trip *t) {
    pthread_t reader, writer;
    if (t->stop) return WW_OK;
    const bool writes = !stays(t);
    t->threads = true;
    if (!start(&reader, bring_all, t)) {
        t->threads = false;
        return do_all(t);
    }
    if (writes && !start(&writer, send_all, t)) {
        stop(t);
        pthread_join(reader, NULL);
        t->threads = false;
        return ww__fail(t->device, WW_MEMORY, "no thread could be started");
    }
    const ww_status status = sort_all(t);
    pthread_join(reader, NULL);
    if (writes) pthread_join(writer, NULL);
    t->threads = false;
    return status;
}

/* ---- begin and end ---- */

void ww__trip_open(ww__trip *t) {
    pthread_condattr_t attributes;
    pthread_mutex_init(&t->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&t->changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

void ww__trip_close(ww__trip *t) {
    pthread_cond_destroy(&t->changed);
    pthread_mutex_destroy(&t->lock);
}

void ww__trip_begin(ww__trip *t) {
    t->came = t->sorted = t->gone = t->gone_bytes = 0;
    t->chunks = t->n == UINT64_MAX ? UINT64_MAX : t->n ? (t->n - 1) / t->chunk + 1 : 0;
}

void ww__trip_bring_first(ww__trip *t) {
    if (t->chunks)
        bring(t, 0);
    else
        has_ended(t, 0);
}
