/** Keeps the page for use offline, and offers a new version when there is one. */

class Offline {
  /** A new version waits. */
  waiting = $state.raw<ServiceWorker | null>(null);

  /** Registers the service worker of a built page; browsers without one load the page each time. */
  async register(): Promise<void> {
    if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
    const before = navigator.serviceWorker.controller;
    // Every open page goes over to the new version at once; sessions are resumed.
    navigator.serviceWorker.addEventListener("controllerchange", () => before && location.reload());
    const registration = await navigator.serviceWorker.register("./sw.js", { updateViaCache: "none" });
    const offer = () => {
      if (before) this.waiting = registration.waiting;
    };
    // A version may be on its way already.
    const follow = () => registration.installing?.addEventListener("statechange", offer);
    offer();
    follow();
    registration.addEventListener("updatefound", follow);
  }

  /** Takes the new version: the page is loaded again. */
  take(): void {
    this.waiting?.postMessage("take over");
    this.waiting = null;
  }
}

export const offline = new Offline();
