/** The page begins. */

import { mount } from "svelte";

import App from "./App.svelte";
import { start } from "./engine/client";
import { offline } from "./offline/register.svelte";
import { outliveTranslation } from "./parts/translated";
import "./styles/tokens.css";
import "./styles/base.css";

const engine = start();
// What is drawn first is a task of its own, and its layout another: none of them takes long.
setTimeout(() => {
  document.getElementById("unstarted")?.remove();
  mount(App, { target: document.getElementById("app") ?? document.body, props: { engine } });
  outliveTranslation(document.body);
  void offline.register();
});
