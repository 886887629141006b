import { draftOf, fitsWire, ofParts, type WindowContent } from './window-content';

/** Milliseconds. */
const retryMs = 3_000;

/** Hands the core what it does not have. */
export interface ChangeSender {
  /** After so many milliseconds, unless it is to be sent sooner anyway. */
  later(ms: number): void;
  /** Only within `inOrder`. */
  send(): Promise<void>;
  /** What is asked of the core is asked one after the other. */
  inOrder<T>(act: () => Promise<T>): Promise<T>;
}

export function createChangeSender(content: WindowContent): ChangeSender {
  const { drafts, putAt, unsent, homeless } = content;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let chain: Promise<unknown> = Promise.resolve();

  const inOrder = <T>(act: () => Promise<T>): Promise<T> => {
    const result = chain.then(act);
    chain = result.catch(() => undefined);
    return result;
  };

  const later = (ms: number) => {
    timer ??= setTimeout(() => void inOrder(send), ms);
  };

  function changes() {
    const changedDrafts = [...unsent.drafts].flatMap((name) => {
      const draft = drafts.get(name);
      return fitsWire(draft) ? [{ name, draft, at: putAt.get(name) ?? Date.now() }] : [];
    });
    const changedParts = [...unsent.parts].map((name) => ({ name, value: content.parts[name] }));
    return { changedDrafts, changedParts };
  }

  async function send(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const { core, mailbox, isHere } = content;
    if (!core || !mailbox || !isHere) return;
    const { window: id } = mailbox;
    const { changedDrafts, changedParts } = changes();
    if (changedDrafts.length + changedParts.length === 0) return;
    const input = {
      id,
      ...Object.fromEntries(changedParts.map(({ name, value }) => [name, value ?? undefined])),
      drafts: Object.fromEntries(
        changedDrafts.map(({ name, draft, at }) => [name, draft ? draftOf(draft, at) : null]),
      ),
    };
    const { written } = await core
      .call('windows.keep', input, { waits: true })
      .catch(() => ({ written: false }));
    if (!written) return later(retryMs);
    for (const { name, value } of changedParts) {
      if (content.parts[name] !== value) continue;
      unsent.parts.delete(name);
      mailbox.remove(ofParts + name);
    }
    for (const { name, draft, at } of changedDrafts) {
      mailbox.arrived({ window: id, name, at });
      if (drafts.get(name) !== draft) continue;
      unsent.drafts.delete(name);
      homeless.delete(name);
    }
  }

  return { later, send, inOrder };
}
