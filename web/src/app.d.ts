/// <reference types="svelte" />
/// <reference types="vite/client" />

/** The public address of the page (`vite/address.ts`); empty if it has none. */
declare const PUBLIC_PAGE: string;
