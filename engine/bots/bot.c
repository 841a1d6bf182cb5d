/* A bot for Newmarket and its family, in C99 without a library.
 *
 *     cc -O2 -o target/bot engine/bots/bot.c && newmarket duel exec:target/bot stopper
 *
 * The program that calls it is the host. It writes one JSON object a line to this bot's standard
 * input and reads the answers from its standard output; ../PROTOCOL.md has every message. This bot
 * does not remember anything: a question has the legal decisions with it, and it takes the lead of the
 * lowest card, or the quietest of the other decisions. So it ignores all messages but two. */

#include <stdio.h>
#include <string.h>

/* The longest line that the protocol allows, its end, and the end of the string. */
#define LONGEST (65536 + 2)

/* The end of the JSON value that begins here, or NULL. Commas and braces within strings and within
 * nested values are not those of the outer one, so both are counted. */
static const char *value_end(const char *at)
{
    int depth = 0;
    for (; *at != '\0'; at++) {
        if (*at == '"') {
            for (at++; *at != '"'; at++) {
                if (*at == '\\' && at[1] != '\0')
                    at++;
                if (*at == '\0')
                    return NULL;
            }
        } else if (*at == '{' || *at == '[') {
            depth++;
        } else if (depth > 0 && (*at == '}' || *at == ']')) {
            depth--;
        } else if (depth == 0 && (*at == ',' || *at == '}' || *at == ']')) {
            return at;
        }
    }
    return NULL;
}

/* A piece of the line. */
struct piece {
    const char *begin;
    int length;
};

/* The value of a key of the object that begins here, as it is written; empty if there is none. */
static struct piece field(const char *object, const char *key)
{
    struct piece none = {object, 0};
    const char *at = object;
    if (*at++ != '{')
        return none;
    for (;;) {
        at += strspn(at, " ,");
        if (*at != '"')
            return none;
        const char *name = at + 1;
        const char *colon = strchr(name, ':');
        if (colon == NULL)
            return none;
        const char *value = colon + 1 + strspn(colon + 1, " ");
        const char *end = value_end(value);
        if (end == NULL)
            return none;
        /* The keys of the protocol are plain words. */
        size_t length = strcspn(name, "\"");
        if (length == strlen(key) && memcmp(name, key, length) == 0) {
            struct piece found = {value, (int)(end - value)};
            return found;
        }
        at = end;
    }
}

/* Whether a value is this string. */
static int is(struct piece value, const char *text)
{
    size_t length = strlen(text);
    return value.length == (int)length + 2 && memcmp(value.begin + 1, text, length) == 0;
}

/* How much this bot likes a decision; the least is taken. */
static int rating(struct piece decision)
{
    static const char ranks[] = "23456789TJQKA";
    static const char *const quiet[] = {"keep", "pass", "check", "call"};
    struct piece event = field(decision.begin, "e");
    if (is(event, "lead")) {
        struct piece card = field(decision.begin, "card");
        const char *rank = strchr(ranks, card.begin[1]);
        return rank == NULL ? 99 : (int)(rank - ranks);
    }
    for (int nth = 0; nth < 4; nth++)
        if (is(event, quiet[nth]))
            return 20 + nth;
    return 50;
}

/* The decision of a list that this bot likes best. */
static struct piece choose(struct piece legal)
{
    struct piece best = {legal.begin, 0};
    int least = 1000;
    const char *at = legal.begin + 1;
    while (*at == '{') {
        const char *end = value_end(at);
        if (end == NULL)
            break;
        struct piece decision = {at, (int)(end - at)};
        int rated = rating(decision);
        if (rated < least) {
            least = rated;
            best = decision;
        }
        at = end + strspn(end, " ,");
    }
    return best;
}

int main(void)
{
    static char line[LONGEST];
    while (fgets(line, sizeof line, stdin) != NULL) {
        struct piece type = field(line, "type");
        if (is(type, "hello")) {
            puts("{\"type\":\"hello\",\"version\":1,\"name\":\"bot.c\",\"players\":[\"bot.c\"]}");
        } else if (is(type, "ask")) {
            /* The number of the question goes back as it came. */
            struct piece id = field(line, "id");
            struct piece best = choose(field(line, "legal"));
            printf("{\"type\":\"answer\",\"id\":%.*s,\"do\":%.*s}\n", id.length, id.begin,
                   best.length, best.begin);
        } else if (is(type, "quit")) {
            break;
        } else {
            continue;
        }
        /* Without this the host would wait for what is still in the buffer. */
        fflush(stdout);
    }
    return 0;
}
