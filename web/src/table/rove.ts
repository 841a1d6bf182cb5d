/** One stop of the tab key for a set of buttons; arrow keys go from one to the next. */

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export function rove(node: HTMLElement): { destroy: () => void } {
  const buttons = () => [...node.querySelectorAll<HTMLButtonElement>("button:not(:disabled)")];

  /** Only one of them can be reached by the tab key. */
  function settle(): void {
    const all = buttons();
    const current =
      all.find((button) => button === document.activeElement) ?? all.find(({ tabIndex }) => tabIndex === 0);
    for (const button of all) button.tabIndex = button === (current ?? all[0]) ? 0 : -1;
  }

  function key(event: KeyboardEvent): void {
    const all = buttons();
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    if (at < 0) return;
    const to = { Home: 0, End: all.length - 1 }[event.key] ?? at + (STEPS[event.key] ?? 0);
    if (to === at) return;
    event.preventDefault();
    all[(to + all.length) % all.length]?.focus();
  }

  const watcher = new MutationObserver(settle);
  watcher.observe(node, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled"] });
  node.addEventListener("keydown", key);
  node.addEventListener("focusin", settle);
  settle();
  return {
    destroy() {
      watcher.disconnect();
      node.removeEventListener("keydown", key);
      node.removeEventListener("focusin", settle);
    },
  };
}
