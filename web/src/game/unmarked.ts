/** A text without the byte order mark that some programs write before it. */
export const unmarked = (text: string): string => text.replace(/^\uFEFF/, "");
