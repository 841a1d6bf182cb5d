/** The page begins. */

import { mount } from "svelte";

import App from "./App.svelte";
import { start } from "./engine/client";
import { offline } from "./offline/register.svelte";
import "./styles/tokens.css";
import "./styles/base.css";

mount(App, { target: document.getElementById("app") ?? document.body, props: { engine: start() } });
void offline.register();
