/* Plays the deals of a file of examples/native_views.rs through the library, and counts what differs from
 * the native player: seats, rows, legal actions, every bit of every logit, of values and of policies,
 * actions, and what search and analysis answer.
 *
 *     compare PLAYER VIEWS_FILE
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "newmarket.h"

#define VIEW_BYTES (7 * 4 + NM_ACTIONS * 4 + NM_ACTIONS + 2)

static struct nm_engine *engine;
static long views, answers, differences;
static double seconds;

static void differs(const char *what) {
    if (differences++ < 10) fprintf(stderr, "view %ld: %s\n", views, what);
}

static void fail(const char *what) {
    fprintf(stderr, "error: %s\n", what);
    exit(1);
}

static void *memory(size_t size) {
    void *bytes = malloc(size > 0 ? size : 1);
    if (bytes == NULL) fail("no memory is left");
    return bytes;
}

static uint32_t number(const uint8_t *at) {
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint32_t bits(float value) {
    uint32_t of;
    memcpy(&of, &value, sizeof of);
    return of;
}

static uint32_t hash(const float *numbers, size_t n) {
    uint32_t mixed = 0x811c9dc5;
    for (size_t i = 0; i < n; i++) mixed = (mixed ^ bits(numbers[i])) * 0x01000193;
    return mixed;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Sends a line, waits for all that is said, and returns the last of it. */
static const char *say(const char *line, size_t len) {
    const char *reply = "", *next;
    if (nm_send(engine, line, len) != NM_OK) fail("a line is not taken");
    while (nm_work(engine) == NM_MORE) {
    }
    while ((next = nm_next(engine, NULL)) != NULL) reply = next;
    if (strstr(reply, "\"type\":\"error\"") != NULL) fail(reply);
    return reply;
}

/* Whether two answers are the same, but for the time that they took. */
static int same(const char *a, const char *b) {
    const char *spent = strstr(a, ",\"spent_ms\"");
    if (spent == NULL) return strcmp(a, b) == 0;
    return strncmp(a, b, (size_t)(spent - a) + 11) == 0;
}

static void view(const uint8_t *due) {
    float row[NM_INPUTS], logits[NM_ACTIONS], policy[NM_ACTIONS], value;
    uint8_t legal[NM_ACTIONS];
    int32_t action;
    const char *table = "a";
    double begun = now();
    int seat = nm_observe(engine, table, 1, row, legal);
    if (seat < 0 || nm_forward(engine, row, legal, 1, logits, policy, &value, &action) != NM_OK) {
        fail(nm_next(engine, NULL));
    }
    seconds += now() - begun;
    if ((uint32_t)seat != number(due + 4)) differs("the seat");
    if (hash(row, NM_INPUTS) != number(due)) differs("the row");
    if (memcmp(legal, due + 28 + 4 * NM_ACTIONS, NM_ACTIONS) != 0) differs("what is legal");
    if ((uint32_t)action != number(due + 8)) differs("the action");
    if (bits(value) != number(due + 20)) differs("the value");
    if (hash(policy, NM_ACTIONS) != number(due + 24)) differs("the policy");
    for (int i = 0; i < NM_ACTIONS; i++) {
        if (bits(logits[i]) != number(due + 28 + 4 * i)) differs("a logit");
    }
    int status = nm_act(engine, table, 1, (int32_t)number(due + 12));
    if ((uint32_t)status != number(due + 16)) differs("whether the decision is whole");
    while (nm_next(engine, NULL) != NULL) {
    }
    views++;
}

int main(int argc, char **argv) {
    if (argc != 3) fail("expected PLAYER VIEWS_FILE");
    FILE *file = fopen(argv[1], "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) fail("no player");
    size_t len = (size_t)ftell(file);
    uint8_t *player = memory(len);
    rewind(file);
    if (fread(player, 1, len, file) != len) fail("the player cannot be read");
    fclose(file);
    char problem[200];
    engine = nm_new(player, len, problem, sizeof problem);
    free(player);
    if (engine == NULL) fail(problem);

    file = fopen(argv[2], "rb");
    if (file == NULL) fail("no views");
    uint8_t head[5];
    while (fread(head, 1, 5, file) == 5) {
        size_t size = number(head + 1);
        uint8_t *bytes = memory(size + 1);
        if (fread(bytes, 1, size, file) != size) fail("the views are cut off");
        bytes[size] = 0;
        if (head[0] == 'V') {
            if (size != VIEW_BYTES) fail("the views are of another version");
            view(bytes);
        } else if (head[0] == 'S') {
            say((char *)bytes, size);
        } else {
            char *answer = strchr((char *)bytes, '\n');
            if (answer == NULL) fail("an answer is missing");
            const char *reply = say((char *)bytes, (size_t)(answer - (char *)bytes));
            if (!same(answer + 1, reply)) differs("an answer that takes worlds");
            answers++;
        }
        free(bytes);
    }
    fclose(file);
    nm_free(engine);
    printf("{\"views\": %ld, \"answers\": %ld, \"differences\": %ld, \"us\": %.1f}\n", views, answers,
           differences, views > 0 ? 1e6 * seconds / (double)views : 0.0);
    return differences != 0 || views == 0;
}
