/* Plays a session of Michigan: seat 0 at random, the others by the network of a file.
 *
 *     cc example.c -lnewmarket_c -o example && ./example net.ckpt
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "newmarket.h"

/* Says a line and returns the last reply to it, or ends the program if it was refused. */
static const char *say(struct nm_engine *engine, const char *line) {
    const char *reply = NULL, *next;
    if (nm_send(engine, line, strlen(line)) != NM_OK) {
        fprintf(stderr, "error: the engine has ended\n");
        exit(1);
    }
    while ((next = nm_next(engine, NULL)) != NULL) reply = next;
    if (reply != NULL && strncmp(reply, "{\"type\":\"error\"", 15) == 0) {
        fprintf(stderr, "error: %s\n", reply);
        exit(1);
    }
    return reply;
}

/* The whole of a file. */
static uint8_t *read_file(const char *path, size_t *len) {
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) return NULL;
    long size = ftell(file);
    uint8_t *bytes = size > 0 ? malloc((size_t)size) : NULL;
    rewind(file);
    if (bytes != NULL && fread(bytes, 1, (size_t)size, file) != (size_t)size) {
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    *len = (size_t)size;
    return bytes;
}

/* One of the actions that are legal. */
static int at_random(const uint8_t *legal) {
    int action = 0, choices = 0;
    for (int i = 0; i < NM_ACTIONS; i++) {
        if (legal[i] && rand() % ++choices == 0) action = i;
    }
    return action;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "error: expected the file of a player, as net.ckpt\n");
        return 2;
    }
    if (nm_abi() != NM_ABI) {
        fprintf(stderr, "error: the library is of another version than its header\n");
        return 2;
    }
    size_t len = 0;
    uint8_t *player = read_file(argv[1], &len);
    if (player == NULL) {
        fprintf(stderr, "error: cannot read %s\n", argv[1]);
        return 2;
    }
    char problem[200] = "";
    struct nm_engine *engine = nm_new(player, len, problem, sizeof problem);
    free(player);
    if (engine == NULL) {
        fprintf(stderr, "error: %s: %s\n", argv[1], problem);
        return 2;
    }

    say(engine, "{\"type\":\"open\",\"table\":\"a\",\"rules\":{\"base\":\"michigan\"},"
                "\"players\":4,\"seed\":\"7\"}");
    for (;;) {
        const char *table = say(engine, "{\"type\":\"state\",\"table\":\"a\"}");
        if (strstr(table, "\"deal_over\":true") != NULL) {
            puts(table);
            table = say(engine, "{\"type\":\"next\",\"table\":\"a\"}");
            if (strstr(table, "\"session_over\":true") != NULL) break;
            continue;
        }
        uint8_t legal[NM_ACTIONS];
        int seat = nm_observe(engine, "a", 1, NULL, legal);
        int action = seat == 0 ? at_random(legal) : NM_BY_PLAYER;
        int status = nm_act(engine, "a", 1, action);
        const char *line = nm_next(engine, NULL);
        if (seat < 0 || status < 0) {
            fprintf(stderr, "error: %s\n", line != NULL ? line : "a fault of the library");
            nm_free(engine);
            return 1;
        }
    }
    nm_free(engine);
    return 0;
}
