// Plays a session of Michigan by the player of a file, and says how each deal ended.
package main

// #cgo pkg-config: newmarket
// #include <newmarket.h>
import "C"

import (
	"encoding/json"
	"fmt"
	"os"
	"unsafe"
)

func main() {
	player, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	engine := C.nm_new((*C.uint8_t)(&player[0]), C.size_t(len(player)), nil, 0)
	if engine == nil {
		panic("the file is no player's")
	}
	defer C.nm_free(engine)

	type state struct {
		DealOver    bool `json:"deal_over"`
		SessionOver bool `json:"session_over"`
	}
	say := func(line string) (string, state) {
		bytes := []byte(line)
		if C.nm_send(engine, (*C.char)(unsafe.Pointer(&bytes[0])), C.size_t(len(bytes))) != C.NM_OK {
			panic("the engine has ended")
		}
		last := ""
		for next := C.nm_next(engine, nil); next != nil; next = C.nm_next(engine, nil) {
			last = C.GoString(next)
		}
		var table state
		if err := json.Unmarshal([]byte(last), &table); err != nil {
			panic(err)
		}
		return last, table
	}

	name := []byte("a")
	line, table := say(`{"type":"open","table":"a","rules":{"base":"michigan"},"players":4,"seed":"7"}`)
	for !table.SessionOver {
		if table.DealOver {
			fmt.Println(line)
			line, table = say(`{"type":"next","table":"a"}`)
			continue
		}
		if C.nm_act(engine, (*C.char)(unsafe.Pointer(&name[0])), 1, C.NM_BY_PLAYER) != C.NM_OK {
			panic("refused")
		}
		line, table = say(`{"type":"state","table":"a"}`)
	}
}
