import type { Conversation, TagNames } from '../index';

export declare function parseConversation(
  text: string,
  tags: TagNames,
  servers: readonly string[],
): Conversation;
