/* Newmarket for C: players of the card game Newmarket and its family.
 *
 * Lines are those of the protocol (engine/PROTOCOL.md) and of tables (engine/TABLES.md), JSON in UTF-8.
 * Link with -lnewmarket_c. */

#ifndef NEWMARKET_H
#define NEWMARKET_H

/* Made from bindings/c/src/abi.rs: `cargo test` says when it is out of date. */

#include <stddef.h>
#include <stdint.h>

/*
 The version of this interface. `nm_abi()` is that of the library.
 */
#define NM_ABI 1

/*
 Numbers of a row: the observation of a seat.
 */
#define NM_INPUTS 896

/*
 Actions; some of them are legal in a decision.
 */
#define NM_ACTIONS 74

/*
 For `nm_act`: the network takes the decision.
 */
#define NM_BY_PLAYER -1

/*
 Success.
 */
#define NM_OK 0

/*
 Success, and there is more to do.
 */
#define NM_MORE 1

/*
 A pointer is null or not aligned, or a length is not possible.
 */
#define NM_POINTER -1

/*
 The name of a table is not UTF-8.
 */
#define NM_TEXT -2

/*
 The call was refused; an `error` line has the reason.
 */
#define NM_REFUSED -3

/*
 The host has sent `quit`.
 */
#define NM_QUIT -4

/*
 The library has a fault. Only `nm_free` may still be called with the engine.
 */
#define NM_FAILED -5

/*
 A player's network, tables, and their unread lines. One thread at a time may use it.
 */
struct nm_engine;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 The version of the interface that the library has. A program compares it with `NM_ABI`.
 */
uint32_t nm_abi(void);

/*
 Limits players that search, in the whole process: `threads` that they use at once, 0 for one a core, and the most
 `worlds` of a player, 1 to 1,000,000. A player by name with more is refused. A world takes up to 400 bytes, so
 10,000 worlds keep a decision below 4 MB.

 Call it before the first engine is made: later, or a second time, it is `NM_REFUSED` and changes nothing.
 Without it `threads` is one a core, and `worlds` is 1,000,000.
 */
int32_t nm_limit(uint32_t threads,
                 uint32_t worlds);

/*
 An engine with the player of a file in memory: a checkpoint, or an export of
 `newmarket checkpoint export`. The bytes are not needed afterwards.

 Returns null if the bytes are no such file. `problem`, unless it is null, then gets the reason: a text
 of at most `room` bytes, with a zero at its end.

 # Safety
 `player` has `len` bytes, and `problem` has room for `room`.
 */
struct nm_engine *nm_new(const uint8_t *player,
                         size_t len,
                         char *problem,
                         size_t room);

/*
 Frees an engine; null is allowed.

 # Safety
 The engine is one of `nm_new`, and no later call uses it.
 */
void nm_free(struct nm_engine *engine);

/*
 Takes one line of the protocol, without a zero at its end. Immediate replies wait for
 `nm_next`: none, a reply, or an `error`. `nm_work` does the work that takes time.

 # Safety
 The engine is one of `nm_new`, and `line` has `len` bytes.
 */
int32_t nm_send(struct nm_engine *engine, const char *line, size_t len);

/*
 Works for some milliseconds on analyses and on decisions with a budget. Returns `NM_MORE` if
 there is more to do, else `NM_OK`.

 # Safety
 The engine is one of `nm_new`.
 */
int32_t nm_work(struct nm_engine *engine);

/*
 The next line from the engine, `*len` bytes and a zero after them; null if there is none. The line is
 valid until the next call of `nm_next` or `nm_free`. `len` may be null.

 # Safety
 The engine is one of `nm_new`, and `len` is null or has room for a number.
 */
const char *nm_next(struct nm_engine *engine,
                    size_t *len);

/*
 The network's answers to `n` rows of `NM_INPUTS` numbers. `legal` has `NM_ACTIONS` bytes a row,
 each 0 or not; null means that all actions are legal. A null pointer skips its output:
 `logits` (minus infinity where not legal) and `policy` (probabilities; 0 where not legal) have
 `NM_ACTIONS` numbers a row, `value` and `action` (the likeliest legal one) have one.

 The network plays in whole numbers: the bits are the same on every machine, and close to those of
 the weights in floating point, not equal. Entries of a row that are facts, 0 or 1, count as 1 unless they
 are 0. Rows with a number that is not finite, or without a legal action, are `NM_REFUSED`.

 # Safety
 The engine is one of `nm_new`, and each pointer is null or has so many elements, which overlap
 with those of no other.
 */
int32_t nm_forward(struct nm_engine *engine,
                   const float *rows,
                   const uint8_t *legal,
                   size_t n,
                   float *logits,
                   float *policy,
                   float *value,
                   int32_t *action);

/*
 Writes the observation of the seat to act at a table, `NM_INPUTS` numbers in `row`, and its action mask,
 `NM_ACTIONS` bytes of 0 or 1 in `legal`; either may be null. The table is one that was opened here
 or one that the engine plays at. Returns the seat.

 Where cards are set apart for poker, one of the best five is the only legal action: a rule sets
 the five cards apart, and networks are not trained for it.

 # Safety
 The engine is one of `nm_new`, `table` has `len` bytes, and `row` and `legal` are null or have so
 many elements.
 */
int32_t nm_observe(struct nm_engine *engine,
                   const char *table,
                   size_t len,
                   float *row,
                   uint8_t *legal);

/*
 Takes an action for the seat to act at a table. Some decisions take several: `NM_MORE` asks for
 the next one. `NM_BY_PLAYER` takes the whole decision, or the rest of it, as the network would.

 `NM_OK` says that the decision is whole. The engine then writes a line
 `{"type":"did","table":…,"seat":…,"do":…}`, and takes the decision if the table was opened here.

 # Safety
 The engine is one of `nm_new`, and `table` has `len` bytes.
 */
int32_t nm_act(struct nm_engine *engine,
               const char *table,
               size_t len,
               int32_t action);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* NEWMARKET_H */
