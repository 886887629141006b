import { EditorState, type TransactionSpec } from '@codemirror/state';
import type * as z from 'zod';
import { windowHand } from '../../../../contract/notes';
import { connection } from '../../../base/core/connected';
import type { Core } from '../../../base/core/core';
import { askBeforeLosing } from '../../../base/core/unsent';
import { unsentName, useUnsentNotes } from '../../../base/drafts/unsent-notes';
import { tellUnasked } from '../../../base/layout/unasked';
import { connectNote, type NoteLink } from './connect-note';
import { type HeldText, HeldTextShape } from './held-text';
import type { NoteLinkParts } from './link-state';
import { unconfirmedChanges } from './unconfirmed';

/** While the core is away, what is typed is written down after a rest of this long. */
const restMs = 300;
const mostSeen = 50;

interface Joined extends NoteLink {
  readonly path: () => string;
  readonly vault: string;
}

/** The links of editors that are closed and have still something to hand on. */
const handing = new Set<Joined>();
/** What is written down of links of this page, by name. */
const owned = new Set<string>();
/** As a note stood when its editor was closed, by vault and path; the newest last. */
const lastSeen = new Map<string, HeldText>();

interface JoinParts extends Omit<NoteLinkParts, 'clientId' | 'held' | 'seenBefore' | 'onEnd' | 'onSettled'> {
  /** Whether something is asked that waits for what was typed. */
  readonly isAsking: () => boolean;
}

/** As `connectNote`, for an editor that may be closed, or go with its page, before all is handed on. */
export function joinNote(vault: string, parts: JoinParts): NoteLink {
  return join(vault, parts, takeUp(vault, parts.path));
}

function join(vault: string, parts: JoinParts, heldText: HeldText | null): NoteLink {
  const { put } = useUnsentNotes.getState();
  let { path } = parts;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const clientId = heldText?.clientId ?? `${windowHand}${crypto.randomUUID()}`;
  const name = () => unsentName(vault, path, clientId);
  owned.add(name());
  const link = connectNote({
    ...parts,
    clientId,
    held: heldText,
    seenBefore: lastSeen.get(seenName(vault, path)) ?? null,
    onRenamed(to, byOthers) {
      moved(to);
      parts.onRenamed(to, byOthers);
    },
    onSettled: forget,
    onEnd() {
      remember(seenName(vault, path), link.held());
      end();
    },
  });
  const noLongerAsked = askBeforeLosing(link.isUnsent);

  function forget(): void {
    clearTimeout(timer);
    timer = undefined;
    if (name() in useUnsentNotes.getState().all) put(name(), null);
  }

  function write(): void {
    timer = undefined;
    if (link.isUnsent()) put(name(), { ...link.held(), isAsking: parts.isAsking() });
  }

  function end(): void {
    noLongerAsked();
    forget();
    owned.delete(name());
    handing.delete(joined);
    globalThis.window?.removeEventListener('pagehide', write);
  }

  function moved(to: string): void {
    if (to === path) return;
    forget();
    owned.delete(name());
    path = to;
    owned.add(name());
    write();
  }

  const joined: Joined = {
    ...link,
    vault,
    path: () => path,
    edited() {
      link.edited();
      if (!connection.isThere) timer ??= setTimeout(write, restMs);
    },
    moved(to) {
      link.moved(to);
      moved(to);
    },
    handOver() {
      const rest = link.handOver();
      end();
      return rest;
    },
    close() {
      handing.add(joined);
      link.close();
    },
  };
  globalThis.window?.addEventListener('pagehide', write);
  if (heldText) timer = setTimeout(write, restMs);
  return joined;
}

/** Hands on what was typed in this window before it was loaded anew, and in windows that are gone. */
export function handOnUnsent(core: Core, vault: string): void {
  for (const [name, stored] of Object.entries(useUnsentNotes.getState().all)) {
    const [of, path] = name.split('\n');
    const heldText = HeldTextShape.safeParse(stored);
    if (of !== vault || path === undefined || owned.has(name) || !heldText.success) continue;
    tellAsking(vault, path, heldText.data);
    const nothing = () => undefined;
    const unseen: JoinParts = {
      core,
      path,
      isAsking: () => false,
      editor: createUnseenEditor(),
      onReady: nothing,
      onSave: nothing,
      onConflict: nothing,
      onRenamed: nothing,
      onProblem: nothing,
      onArrival: nothing,
    };
    join(vault, unseen, heldText.data).close();
  }
}

function createUnseenEditor() {
  let state = EditorState.create({ extensions: [unconfirmedChanges] });
  return {
    get state() {
      return state;
    },
    dispatch(...specs: TransactionSpec[]) {
      state = state.update(...specs).state;
    },
  };
}

/** What an editor of this note that is closed, or was in this window before, had not handed on. */
function takeUp(vault: string, path: string): HeldText | null {
  const former = [...handing].find((one) => one.vault === vault && one.path() === path);
  if (former) return former.handOver();
  const start = unsentName(vault, path, '');
  const entry = Object.entries(useUnsentNotes.getState().all).find(
    ([name]) => name.startsWith(start) && !owned.has(name),
  );
  const heldText = HeldTextShape.safeParse(entry?.[1]).data ?? null;
  if (heldText) tellAsking(vault, path, heldText);
  return heldText;
}

/** What costs something is not done by a window that nobody asked in. */
function tellAsking(vault: string, path: string, heldText: z.infer<typeof HeldTextShape>): void {
  if (heldText.isAsking) tellUnasked({ vault, path, why: null });
}

const seenName = (vault: string, path: string) => `${vault}\n${path}`;

function remember(key: string, heldText: HeldText | null): void {
  lastSeen.delete(key);
  if (!heldText || heldText.changes.length > 0) return;
  lastSeen.set(key, heldText);
  const [oldest] = lastSeen.keys();
  if (lastSeen.size > mostSeen && oldest !== undefined) lastSeen.delete(oldest);
}
