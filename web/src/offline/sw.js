// The service worker: after the first visit the page needs no network. All files of one version are kept
// together, and a page is served from one version alone. The build puts in the two constants.
/* global self, caches, clients */
const version = "VERSION";
/** @type {[string, string][]} Names and SHA-256 digests. */
const files = "FILES";

// Other pages of the same origin, and other copies of this one in other folders, have caches too: this one's names
// begin with its own folder.
const PREFIX = `newmarket ${self.registration.scope} `;
const NAME = `${PREFIX}${version}`;

// As `hasSimd` of the engine: one of the two modules is never asked for here.
const simd = WebAssembly.validate(
  new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0, 65, 0, 253, 15, 26, 11,
  ]),
);
const needed = files.filter(([name]) => !name.endsWith(".wasm") || name.includes("simd") === simd);

/** A file of this version: what the browser has of it already, or what the server has. */
async function fetched([name, digest]) {
  for (const cache of ["default", "reload"]) {
    const reply = await fetch(name, { cache });
    const bytes = await reply.clone().arrayBuffer();
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    const hex = Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
    if (reply.ok && hex === digest) return [name, reply];
  }
  throw new Error(`${name} is not of version ${version}`);
}

async function install() {
  // All or nothing: a version of which a file is missing is not installed.
  const replies = await Promise.all(needed.map(fetched));
  const cache = await caches.open(NAME);
  await Promise.all(replies.map(([name, reply]) => cache.put(name, reply)));
}

async function activate() {
  const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
  await clients.claim();
}

async function answer(request) {
  const cache = await caches.open(NAME);
  const scope = new URL(self.registration.scope);
  const path = new URL(request.url).pathname;
  const name = path === scope.pathname ? "index.html" : request.url.split("?")[0];
  return (await cache.match(new URL(name, scope).href)) ?? fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", (event) => {
  if (event.data === "take over") self.skipWaiting();
});
self.addEventListener("fetch", (event) => {
  const own = event.request.url.startsWith(self.registration.scope);
  if (own && event.request.method === "GET") event.respondWith(answer(event.request));
});
