import type { Core } from '../core/core';
import { t } from '../text/text';
import type { UnmadeNote } from './unmade';

type Made = Promise<{ readonly path: string } | null>;

export const newNote = (): UnmadeNote => ({
  what: t('command.newNote'),
  path: `${t('files.untitled')}.md`,
  isConversation: false,
});

export const newConversation = (): UnmadeNote => ({
  what: t('command.newConversation'),
  path: `${t('files.newConversation')}.md`,
  isConversation: true,
});

/** Where its path is taken, beside that. */
export const makeNote = (core: Core, { path, isConversation }: UnmadeNote, text = ''): Made =>
  isConversation ? beginConversation(core, path, text) : core.call('vault.create', { path, text });

async function beginConversation(core: Core, path: string, text: string): Made {
  for await (const { tags } of core.stream('settings.current', {}, { waits: false })) {
    const [tag] = tags.user;
    return core.call('vault.create', { path, text: (tag === undefined ? '' : `#${tag} : `) + text });
  }
  return null;
}
