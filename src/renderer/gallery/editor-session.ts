import { ChangeSet, Text } from '@codemirror/state';
import type { NoteEvent, NoteUpdate } from '../../contract/notes';
import { type OwnedChange, rebase } from '../../contract/rebase';

/** The core's side of an open note, in memory. */
export function createExampleSession(initial: string) {
  let doc = Text.of(initial.split('\n'));
  const log: OwnedChange[] = [];
  const inboxes = new Set<(event: NoteEvent) => void>();
  const wire = (updates: readonly OwnedChange[]): NoteUpdate[] =>
    updates.map(({ changes, ...update }) => ({ ...update, changes: changes.toJSON() as never }));

  function apply(updates: readonly OwnedChange[]): void {
    for (const update of updates) {
      doc = update.changes.apply(doc);
      log.push(update);
    }
    for (const receive of inboxes) receive({ kind: 'updates', updates: wire(updates) });
  }

  return {
    length: () => doc.length,
    text: () => doc.toString(),
    find: (text: string, from = 0) => doc.sliceString(from).indexOf(text) + from,
    edit(clientId: string, from: number, to: number, insert: string) {
      const changes = ChangeSet.of({ from, to, insert }, doc.length, '\n');
      apply([{ clientId, changes }]);
    },
    push(version: number, updates: readonly NoteUpdate[]): number {
      const received = updates.map((update) => ({
        ...update,
        changes: ChangeSet.fromJSON(update.changes),
      }));
      apply(log.slice(version).reduce<OwnedChange[]>((own, next) => rebase(own, next).own, received));
      return log.length;
    },
    async *follow(
      seen: { sessionId: string; version: number } | null,
      signal: AbortSignal,
    ): AsyncIterable<NoteEvent> {
      const waiting: NoteEvent[] = [];
      let wake: () => void = () => undefined;
      const receive = (event: NoteEvent) => {
        waiting.push(event);
        wake();
      };
      inboxes.add(receive);
      signal.addEventListener('abort', () => wake());
      const vault = { root: '/notes', id: '1' };
      const save = { kind: 'saved' as const, at: Date.now() };
      const head = { sessionId: 's1', epoch: 'e1', version: log.length, save, readOnly: false, vault };
      yield seen?.sessionId === 's1'
        ? { kind: 'rejoined', ...head, updates: wire(log.slice(seen.version)) }
        : { kind: 'opened', ...head, text: doc.toString() };
      while (!signal.aborted) {
        const next = waiting.shift();
        if (next) yield next;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
      inboxes.delete(receive);
    },
  };
}
