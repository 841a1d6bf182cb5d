/* Plays a session of Michigan by the player of a file, and says how each deal ended. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <newmarket.h>

static const char *say(struct nm_engine *engine, const char *line) {
    const char *last = NULL, *next;
    if (nm_send(engine, line, strlen(line)) != NM_OK) exit(1);
    while ((next = nm_next(engine, NULL)) != NULL) last = next;
    return last;
}

int main(int argc, char **argv) {
    static uint8_t player[8 << 20];
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL || nm_abi() != NM_ABI) return 2;
    size_t len = fread(player, 1, sizeof player, file);
    fclose(file);
    if (nm_limit(1, 1000) != NM_OK) return 2;
    struct nm_engine *engine = nm_new(player, len, NULL, 0);
    if (engine == NULL) return 2;
    const char *table = say(engine, "{\"type\":\"open\",\"table\":\"a\",\"rules\":{\"base\":\"michigan\"},\"players\":4,\"seed\":\"7\"}");
    while (strstr(table, "\"session_over\":true") == NULL) {
        if (strstr(table, "\"deal_over\":true") != NULL) {
            puts(table);
            table = say(engine, "{\"type\":\"next\",\"table\":\"a\"}");
        } else {
            if (nm_act(engine, "a", 1, NM_BY_PLAYER) != NM_OK) return 1;
            table = say(engine, "{\"type\":\"state\",\"table\":\"a\"}");
        }
    }
    nm_free(engine);
    return 0;
}
