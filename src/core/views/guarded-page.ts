import { createHash } from 'node:crypto';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

export interface GuardedPage {
  readonly html: string;
  /** Of every script that may run, as sources of a policy. */
  readonly scripts: readonly string[];
}

/**
 * What every script of a view does first. The policy lets in only texts that begin with it, so no realm, nested or
 * fresh, runs a line before it. Syntax alone and what cannot be forged: a text after it can declare functions that stand before it,
 * under any name. In a frame of a view nothing runs at all; in the view itself the ways out that no policy covers are gone.
 */
const steps =
  'if(this.parent!==this.top)throw 0;delete this.RTCPeerConnection;delete this.webkitRTCPeerConnection;delete this.RTCIceTransport;this.focus=this.open=function(){return null};';
const guards = {
  classic: steps,
  strict: `'use strict';${steps}`,
  // Modules have no `this`; `eval` is the one name that they cannot declare.
  module: `(0,eval)("${steps}");`,
};

/**
 * The first script of a view, before any of its own. Until the page around it says that the person has come, no key and no
 * text gets past the window: ours are the first listeners there, what they call was taken while nobody could
 * have replaced it, and a document of ours cannot be opened anew, which would take them away.
 * It also makes good what the policy and an origin that nobody shares take from a page: storage for as long as it is open,
 * handlers written as attributes, scripts that are added as text.
 */
const first = `${steps}(() => {
  const { apply } = Reflect;
  const { hasOwn, getOwnPropertyDescriptor } = Object;
  const { preventDefault, stopImmediatePropagation } = Event.prototype;
  const { get: dataOf } = getOwnPropertyDescriptor(MessageEvent.prototype, 'data');
  const { get: senderOf } = getOwnPropertyDescriptor(MessageEvent.prototype, 'source');
  const { get: keyOf } = getOwnPropertyDescriptor(KeyboardEvent.prototype, 'key');
  const { get: isTaken } = getOwnPropertyDescriptor(Event.prototype, 'defaultPrevented');
  const { get: focusOf } = getOwnPropertyDescriptor(Document.prototype, 'activeElement');
  const { insertAdjacentHTML, scrollIntoView: intoView } = Element.prototype;
  const blurs = [HTMLElement.prototype.blur, SVGElement.prototype.blur];
  const { parent } = this;
  const send = parent.postMessage;
  const root = document.documentElement;
  let isEntered = false;
  root.inert = true;
  for (const kind of ['keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'textInput', 'change', 'selectionchange',
    'compositionstart', 'compositionupdate', 'compositionend', 'copy', 'cut', 'paste'])
    addEventListener(kind, (event) => {
      if (isEntered || !event.isTrusted) return;
      apply(preventDefault, event, []);
      apply(stopImmediatePropagation, event, []);
    }, { capture: true, passive: false });
  // An input method writes without a key that could be held back: nothing that it could write into keeps the focus.
  for (const kind of ['focus', 'compositionstart'])
    addEventListener(kind, () => {
      if (isEntered) return;
      const focused = apply(focusOf, document, []);
      for (let i = 0; i < 2; i++) try { apply(blurs[i], focused, []); } catch {}
    }, true);
  addEventListener('message', (event) => {
    if (!event.isTrusted || apply(senderOf, event, []) !== parent) return;
    const data = apply(dataOf, event, []);
    if (typeof data !== 'object' || data === null || !hasOwn(data, 'method')) return;
    const { method } = data;
    if (method !== 'interlinear/entered' && method !== 'interlinear/left') return;
    apply(stopImmediatePropagation, event, []);
    isEntered = method === 'interlinear/entered';
    root.inert = !isEntered;
  });
  addEventListener('keydown', (event) => {
    if (apply(keyOf, event, []) === 'Escape' && !apply(isTaken, event, []))
      apply(send, parent, [{ method: 'interlinear/leave' }, '*']);
  });
  // What a view scrolls is its own: a note does not follow.
  const scrollWithin = (element, how) => apply(intoView, element, [{ ...how, container: 'nearest' }]);
  Element.prototype.scrollIntoView = function (how) {
    scrollWithin(this, typeof how === 'object' ? how : { block: how === false ? 'end' : 'start' });
  };
  Element.prototype.scrollIntoViewIfNeeded = function () {
    scrollWithin(this, { block: 'nearest', inline: 'nearest' });
  };
  const write = (...texts) => apply(insertAdjacentHTML, document.body ?? root, ['beforeend', texts.join('')]);
  for (const [name, value] of [['open', () => document], ['write', write], ['writeln', write]])
    Object.defineProperty(Document.prototype, name, { value });
  const memory = () => {
    const kept = new Map();
    return {
      get length() { return kept.size; },
      key: (at) => [...kept.keys()][at] ?? null,
      getItem: (name) => kept.get(String(name)) ?? null,
      setItem: (name, value) => void kept.set(String(name), String(value)),
      removeItem: (name) => void kept.delete(String(name)),
      clear: () => kept.clear(),
    };
  };
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, { value: memory(), configurable: true });
  Object.defineProperty(document, 'cookie', { get: () => '', set: () => undefined, configurable: true });
  const run = eval;
  const begins = ${JSON.stringify(Object.values(guards))};
  const handler = (element, name) => {
    const code = element.getAttribute(name);
    if (code !== null && name in element) element[name] = new Function('event', code);
  };
  const added = (element) => {
    for (const { name } of element.attributes) if (name.startsWith('on')) handler(element, name);
    if (element.localName !== 'script' || element.hasAttribute('src')) return;
    const type = element.getAttribute('type') ?? '';
    const text = element.textContent;
    if (/^$|javascript/i.test(type) && !begins.some((begin) => text.startsWith(begin))) run(text);
  };
  new MutationObserver((changes) => {
    for (const { type, target, attributeName, addedNodes } of changes) {
      if (type === 'attributes') {
        if (attributeName.startsWith('on')) handler(target, attributeName);
        continue;
      }
      for (const node of addedNodes) {
        if (node.nodeType !== 1) continue;
        added(node);
        for (const inner of node.querySelectorAll('*')) added(inner);
      }
    }
  }).observe(document, { subtree: true, childList: true, attributes: true });
})();`;

const most = 256;

/** A page of a server, so that each script in it begins with the guard, and the list of just these scripts. */
export function guardedPage(source: string): GuardedPage {
  const html = source.replace(/\r\n?/g, '\n');
  const page = parse(html, { sourceCodeLocationInfo: true });
  const scripts = new Set([sourceOf(first)]);
  const doctype = page.childNodes.find(({ nodeName }) => nodeName === '#documentType');
  const top = doctype?.sourceCodeLocation?.endOffset ?? 0;
  const edits = [{ from: top, to: top, text: `<script>${first}</script>` }];
  for (const element of elementsOf(page.childNodes)) {
    const start = element.sourceCodeLocation?.startTag;
    if (!start) continue;
    if (element.tagName === 'link' && /preconnect|dns-prefetch/i.test(attribute(element, 'rel') ?? ''))
      edits.push({ from: start.startOffset, to: start.endOffset, text: '' });
    if (element.tagName !== 'script' || attribute(element, 'src') !== undefined) continue;
    const text = element.childNodes.map((node) => ('value' in node ? node.value : '')).join('');
    const guard = guardFor(attribute(element, 'type') ?? '', text);
    if (guard === null || scripts.size >= most) continue;
    scripts.add(sourceOf(guard + text));
    edits.push({ from: start.endOffset, to: start.endOffset, text: guard });
  }
  return { html: edited(html, edits), scripts: [...scripts] };
}

/** Null: it is no script. A map of imports needs none: as a script an object of JSON does nothing. */
function guardFor(type: string, text: string): string | null {
  const kind = type.trim().toLowerCase();
  if (kind === 'module') return guards.module;
  if (kind === 'importmap') return isObject(text) ? '' : null;
  if (kind !== '' && !/^(?:text|application)\/(?:x-)?(?:java|ecma|j)script/.test(kind)) return null;
  return /^\s*(['"])use strict\1/.test(text) ? guards.strict : guards.classic;
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function* elementsOf(nodes: readonly Node[]): Iterable<Element> {
  const open = [...nodes].reverse();
  for (let node = open.pop(); node; node = open.pop()) {
    if (!('tagName' in node)) continue;
    yield node;
    const inner = 'content' in node ? (node as DefaultTreeAdapterTypes.Template).content : node;
    for (const child of inner.childNodes.toReversed()) open.push(child);
  }
}

function edited(html: string, edits: readonly { from: number; to: number; text: string }[]): string {
  let at = 0;
  let page = '';
  for (const { from, to, text } of edits.toSorted((a, b) => a.from - b.from)) {
    page += html.slice(at, Math.max(at, from)) + text;
    at = Math.max(at, to);
  }
  return page + html.slice(at);
}

const attribute = (element: Element, name: string) => element.attrs.find((one) => one.name === name)?.value;
const sourceOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
