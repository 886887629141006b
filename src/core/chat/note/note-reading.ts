import { givenTags } from '../../../contract/providers';
import { type Conversation, parseConversation, type TagNames } from '../../../markdown';
import type { Agents } from '../../agents';
import type { Providers } from '../../providers';
import type { SettingsStore } from '../../settings';

/** Reads notes with the tags and servers of this moment. */
export interface NoteReading {
  tags(more: readonly (string | undefined)[]): TagNames;
  parse(text: string, more?: readonly (string | undefined)[]): Conversation;
}

export function createNoteReading(parts: {
  readonly settings: SettingsStore;
  readonly providers: Pick<Providers, 'list' | 'vendors'>;
  readonly agents: Pick<Agents, 'list'>;
  /** Names and ids of all servers. */
  readonly serverNames: () => readonly string[];
}): NoteReading {
  const { settings, providers, agents } = parts;
  const vendorTags = givenTags(providers.vendors());
  const reading: NoteReading = {
    tags(more) {
      const configured = providers.list.get().flatMap(({ tag, tagTaken }) => (tagTaken ? [] : [tag]));
      const ofAgents = agents.list.get().map(({ tag }) => tag);
      const assistant = [...configured, ...ofAgents, ...more].filter(
        (tag) => tag !== undefined && tag !== null,
      );
      const { tags, formerTags } = settings.current.get();
      return { ...tags, assistant, former: formerTags, given: vendorTags };
    },
    parse: (text, more = []) => parseConversation(text, reading.tags(more), parts.serverNames()),
  };
  return reading;
}
