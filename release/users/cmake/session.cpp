// Plays a session of Michigan by the player of a file, and says how each deal ended.
#include <newmarket.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using Engine = std::unique_ptr<nm_engine, decltype(&nm_free)>;

static std::string say(const Engine &engine, const std::string &line) {
    if (nm_send(engine.get(), line.data(), line.size()) != NM_OK) throw std::runtime_error("it has ended");
    std::string last;
    while (const char *next = nm_next(engine.get(), nullptr)) last = next;
    return last;
}

int main(int, char **argv) {
    std::ifstream file(argv[1], std::ios::binary);
    const std::vector<char> player{std::istreambuf_iterator<char>(file), {}};
    const Engine engine(
        nm_new(reinterpret_cast<const uint8_t *>(player.data()), player.size(), nullptr, 0), nm_free);
    if (!engine) return 2;
    const auto is = [](const std::string &table, const char *what) {
        return table.find(std::string("\"") + what + "\":true") != std::string::npos;
    };
    auto table = say(engine, R"({"type":"open","table":"a","rules":{"base":"michigan"},"players":4,"seed":"7"})");
    while (!is(table, "session_over")) {
        if (is(table, "deal_over")) {
            std::cout << table << '\n';
            table = say(engine, R"({"type":"next","table":"a"})");
        } else {
            if (nm_act(engine.get(), "a", 1, NM_BY_PLAYER) != NM_OK) return 1;
            table = say(engine, R"({"type":"state","table":"a"})");
        }
    }
}
