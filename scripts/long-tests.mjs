/** The tests that run long, named once: what is generated from a seed, as often as one likes, and what is long in other ways. */
export const generated = [
  'src/contract/rebase.test.ts',
  'src/core/foundation/schema/json-pieces.test.ts',
  'src/core/foundation/secrets/redact.test.ts',
  'src/core/foundation/secrets/secret-parts.test.ts',
  'src/core/mcp/fence/events.test.ts',
  'src/core/mcp/fence/read-message.test.ts',
  'src/core/notes/text/merge.test.ts',
  'src/core/notes/text/text.test.ts',
  'src/entities/entity/note/notes.test.ts',
  'src/markdown/conversation/guard.test.ts',
  'src/markdown/front-matter.test.ts',
  'src/markdown/headings.test.ts',
  'src/markdown/tool-calls/laws.test.ts',
  'src/markdown/tool-calls/noted.test.ts',
  'tests/chat/round-trip.test.ts',
  'tests/chat/shown-calls.test.ts',
  'tests/chat/unknown-tags.test.ts',
  'tests/chat/write-law.test.ts',
  'tests/mcp/fence.test.ts',
  'tests/schemas/hostile-schemas.test.ts',
];

export const long = [
  'src/entities',
  'tests/chat/authority.test.ts',
  'tests/entities',
  'tests/hosts/strange-places.test.ts',
  'tests/notes',
  'tests/providers/places.test.ts',
  'tests/vault-server/many-processes.test.ts',
  'tests/whole',
];
