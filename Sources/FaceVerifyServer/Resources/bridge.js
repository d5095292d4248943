/** Messages between this page and its host: a web view, or a page that embeds it. */
import * as api from "./api.js";

/** Maximum size of the request's JSON in bytes, equal to the server's limit. */
export const LARGEST = 65536;
const ENTITY = ["CREATE_ENTITY", "createEntity", "createIntity"];

/** Origins of pages that may embed this one and exchange messages with it, as listed in the view. */
let origins = [];
export const allow = (list) => (origins = parent === window ? [] : list ?? []);

/** Posts a message to all hosts. Values are passed, never a script. */
export function post(action, data) {
  const message = { action, data };
  const handlers = globalThis.webkit?.messageHandlers;
  try {
    (handlers?.performAction ?? handlers?.perfromAction)?.postMessage(message);
    globalThis.faceverifyAndroid?.postMessage(JSON.stringify(message));
    for (const origin of origins) parent.postMessage(message, origin);
  } catch (error) {
    console.error("bridge", error);
  }
}

function reply(action, data, error) {
  try {
    globalThis.actionCallback?.(action, data);
  } catch (thrown) {
    console.error("actionCallback", thrown);
  }
  dispatchEvent(new CustomEvent("faceverify:action", { detail: { action, data, error } }));
  post("actionCallback", { action, data, error });
  return { action, data, error };
}

function parsed(message) {
  try {
    return typeof message === "string" ? JSON.parse(message) : message;
  } catch {
    return null;
  }
}

/** Handles `{action, data}`, also as JSON text. Replies exactly once; `data` is text, "" after an error. */
export async function receive(message) {
  const { action, data } = parsed(message) ?? {};
  if (typeof action !== "string" || typeof data !== "object" || !data) {
    return reply(typeof action === "string" ? action : "", "", "bridge.badMessage");
  }
  if (!ENTITY.includes(action)) return reply(action, "", "bridge.unknownAction");
  const size = new TextEncoder().encode(JSON.stringify({ payload: data })).length;
  if (size > LARGEST) return reply(action, "", "bridge.tooLarge");
  try {
    return reply(action, JSON.stringify(await api.entity(data)), null);
  } catch (error) {
    return reply(action, "", error.problem?.code ?? error.problem?.logicalError ?? "bridge.failed");
  }
}

/** @param toast (text) shows a toast. */
export function open(toast) {
  const showToast = (message) => {
    const text = typeof message === "string" ? message : message?.message;
    toast(typeof text === "string" ? text : "");
  };
  globalThis.faceverify = Object.freeze({ receive, performAction: receive, perfromAction: receive, showToast });
  addEventListener("message", (event) => {
    // Accepts messages only from the page that embeds this one.
    if (event.source !== parent || !origins.includes(event.origin)) return;
    const message = parsed(event.data);
    if (message?.showToast !== undefined) showToast(message.showToast);
    else if (message?.action !== undefined) receive(message);
  });
}
