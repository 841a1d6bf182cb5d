/** Tells how wide an element is with the next frame, which is laid out anyway: `bind:clientWidth` has it laid out at once. */
import type { Attachment } from "svelte/attachments";

export function sized(tell: (width: number) => void): Attachment {
  return (node) => {
    const observer = new ResizeObserver(([entry]) => entry && tell(entry.contentRect.width));
    observer.observe(node);
    return () => observer.disconnect();
  };
}
