/** Where everybody finds the page: `homepage` in package.json, once `release/address` has set it. */

import about from "../package.json" with { type: "json" };

/** The public address of the page, with a slash at its end; empty while it is a placeholder. */
export const PUBLIC_PAGE = new URL(about.homepage).hostname.endsWith(".invalid") ? "" : about.homepage;
