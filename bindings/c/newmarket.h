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
 Numbers of a row: what a seat sees.
 */
#define NM_INPUTS 896

/*
 Actions, of which some are legal in a decision.
 */
#define NM_ACTIONS 74

/*
 For `nm_act`: the network takes the decision.
 */
#define NM_BY_PLAYER -1

/*
 All is well.
 */
#define NM_OK 0

/*
 All is well, and there is more to do.
 */
#define NM_MORE 1

/*
 A pointer is null or not aligned, or a length is none.
 */
#define NM_POINTER -1

/*
 The name of a table is not UTF-8.
 */
#define NM_TEXT -2

/*
 It was refused; an `error` line says why.
 */
#define NM_REFUSED -3

/*
 `quit` was sent.
 */
#define NM_QUIT -4

/*
 The library has a fault. The engine must not be used any more but for `nm_free`.
 */
#define NM_FAILED -5

/*
 A player's network, tables, and what they have said. One thread at a time may use it.
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
 An engine with the player of a file that is in memory: a checkpoint, or what
 `newmarket checkpoint export` wrote. The bytes are not needed afterwards.

 Returns null if they are no such file. `problem`, unless it is null, then gets the reason: text
 of at most `room` bytes, a zero at its end included.

 # Safety
 `player` has `len` bytes, and `problem` has room for `room`.
 */
struct nm_engine *nm_new(const uint8_t *player, size_t len, char *problem, size_t room);

/*
 Frees an engine; null is none.

 # Safety
 The engine is one of `nm_new`, and is not used any more.
 */
void nm_free(struct nm_engine *engine);

/*
 Takes one line of the protocol, without a zero at its end. What is answered at once waits for
 `nm_next`: nothing, a reply, or an `error`. What takes time is done by `nm_work`.

 # Safety
 The engine is one of `nm_new`, and `line` has `len` bytes.
 */
int32_t nm_send(struct nm_engine *engine, const char *line, size_t len);

/*
 Does some milliseconds of what takes time: analyses, and decisions with a budget. `NM_MORE` if
 there is more to do, else `NM_OK`.

 # Safety
 The engine is one of `nm_new`.
 */
int32_t nm_work(struct nm_engine *engine);

/*
 The next line that was said, `*len` bytes and a zero after them; null if there is none. It is
 there until the next call of `nm_next` or `nm_free`. `len` may be null.

 # Safety
 The engine is one of `nm_new`, and `len` is null or has room for a number.
 */
const char *nm_next(struct nm_engine *engine, size_t *len);

/*
 The network's answers to `n` rows of `NM_INPUTS` numbers. `legal` has `NM_ACTIONS` bytes a row,
 each 0 or not; null means that all actions are legal. What is null of the rest is left out:
 `logits` (minus infinity where not legal) and `policy` (probabilities; 0 where not legal) have
 `NM_ACTIONS` numbers a row, `value` and `action` (the likeliest legal one) have one.

 It is the network that plays, in whole numbers: the same bits on every machine, and near, not
 equal to, what the weights of the file give in floating point. Facts of a row, the entries that
 are 0 or 1, count as 1 unless they are 0. Rows with a number that is not finite, or without a legal action, are
 `NM_REFUSED`.

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
 What the seat to act at a table sees, `NM_INPUTS` numbers in `row`, and which actions it may take,
 `NM_ACTIONS` bytes of 0 or 1 in `legal`; either may be null. The table is one that was opened here
 or one that the engine plays at. Returns the seat.

 Of the cards that can be set apart for poker, only one of the best five is marked as legal: those
 are set apart by rule, and the network was never asked for them.

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

 `NM_OK` says that the decision is whole. It is then said in a line
 `{"type":"did","table":…,"seat":…,"do":…}`, and taken if the table was opened here.

 # Safety
 The engine is one of `nm_new`, and `table` has `len` bytes.
 */
int32_t nm_act(struct nm_engine *engine, const char *table, size_t len, int32_t action);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* NEWMARKET_H */
