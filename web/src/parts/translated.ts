/**
 * A browser's translation puts elements of its own in the place of texts. The page goes on to write into the texts that were
 * taken out, so what it writes is not seen, and cannot take away what it does not know. Here a text that was taken out
 * comes back beside its translation, empty; when the page writes into it or takes it away, the translation goes.
 */
export function outliveTranslation(root: Node): void {
  /** The element that stands for each text. */
  const stands = new WeakMap<Node, ChildNode>();

  /** The text of the page that an element has taken the place of. */
  function taken({ removedNodes, addedNodes }: MutationRecord): [Text, HTMLElement] | null {
    const [text, ...texts] = [...removedNodes].filter((node) => node instanceof Text);
    const [font, ...others] = [...addedNodes].filter((node) => node instanceof HTMLElement);
    const one = text && font && texts.length + others.length === 0 && font.localName === "font";
    return one && font.parentNode !== null ? [text, font] : null;
  }

  function back(text: Text, font: HTMLElement): void {
    // A text that was only wrapped leaves its words in the wrapping.
    if (font.contains(text)) text.replaceWith(text.cloneNode());
    text.data = "";
    stands.set(text, font);
    font.after(text);
  }

  const observer = new MutationObserver((records) => {
    for (const record of records) {
      const pair = taken(record);
      if (pair) back(...pair);
      for (const node of [record.target, ...record.removedNodes]) {
        const font = stands.get(node);
        if (font === undefined || !(node instanceof Text) || (node.isConnected && node.data === "")) continue;
        font.remove();
        stands.delete(node);
      }
    }
  });
  observer.observe(root, { childList: true, subtree: true, characterData: true });
}
