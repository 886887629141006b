import type { Handlers } from '../../contract/define';
import type { versionsOperations } from '../../contract/versions';
import type { App } from '../app';

export function versionsHandlers({ versions }: App): Handlers<typeof versionsOperations> {
  return {
    'versions.timeline': ({ path }, { signal }) => versions.followTimeline(path, signal),
    'versions.read': async ({ path, id }) => ({ text: await versions.read(path, id) }),
    'versions.changes': ({ path, id }) => versions.changes(path, id),
    'versions.preview': ({ path, id }) => versions.preview(path, id),
    'versions.restore': ({ path, id, basis, hunks }) => versions.restore(path, id, basis, hunks),
    'versions.deleted': (_input, { signal }) => versions.followDeleted(signal),
    'versions.restoreDeleted': ({ id }) => versions.restoreDeleted(id),
    'versions.writeAgain': ({ path, ...words }) => versions.writeAgain(path, words),
    'versions.forget': ({ what }) => versions.forget(what),
    'versions.answers': ({ path }) => versions.answers(path ?? null),
    'versions.restorable': ({ path }, { signal }) => versions.followRestorable(path, signal),
    'versions.beforeAnswer': ({ runId }) => versions.beforeAnswer(runId),
    'versions.restoreBeforeAnswer': ({ runId, notes }) => versions.restoreBeforeAnswer(runId, notes),
  };
}
