import './no-eval';
import * as z from 'zod';
import { call, state, stream } from './define';
import { NotePath } from './ids';
import { dataErrors, fileErrors, noteErrors, writeErrors } from './operation-errors';

/** What of the person's own a server asks for, and the host or program that gets it. */
export const KeyAsked = z.discriminatedUnion('kind', [
  /** Of the key store; `of`: the server that it was stored for. */
  z.object({ kind: z.literal('secret'), name: z.string(), of: z.string().nullable(), to: z.string() }),
  /** Of the environment. */
  z.object({ kind: z.literal('variable'), name: z.string(), to: z.string() }),
]);
export type KeyAsked = z.infer<typeof KeyAsked>;

/** Something that a folder brings and that can run. */
export const ContributionEntry = z.object({
  kind: z.enum(['server', 'hook', 'agent']),
  name: z.string(),
  /** What is run and with what; secrets hidden. Empty: it can run nothing by itself. */
  lines: z.array(z.string()),
  keys: z.array(KeyAsked).optional(),
  fingerprint: z.string(),
  consent: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('given') }),
    z.object({ kind: z.literal('new') }),
    /** It is not what the person agreed to. */
    z.object({ kind: z.literal('changed'), before: z.array(z.string()) }),
  ]),
});
export type ContributionEntry = z.infer<typeof ContributionEntry>;

export const VaultState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('opening'), path: z.string() }),
  z.object({
    kind: z.literal('open'),
    path: z.string(),
    name: z.string(),
    /** Until the person trusts the folder, nothing that it brings is run; afterwards only what was agreed to. */
    trusted: z.boolean(),
    /** A folder at this path was; whether it was this one is not known, or it was not. */
    wasTrusted: z.boolean().optional(),
    contributions: z.array(ContributionEntry),
    writable: z.boolean(),
  }),
  /** It is waited for. `instead`: what is at its path; `movedTo`: where the folder is by now, as far as is known. */
  z.object({
    kind: z.literal('lost'),
    path: z.string(),
    name: z.string(),
    instead: z.enum(['nothing', 'another']),
    movedTo: z.string().nullable(),
  }),
]);
export type VaultState = z.infer<typeof VaultState>;

export const VaultEntry = z.object({
  path: NotePath,
  kind: z.enum(['folder', 'note', 'file']),
  /** Bytes. */
  size: z.number(),
  /** Milliseconds since 1970. */
  modified: z.number(),
});
export type VaultEntry = z.infer<typeof VaultEntry>;

/** The same file or folder under another name, whoever moved it; what is in a folder goes along. */
export const VaultMove = z.object({ from: NotePath, to: NotePath });
export type VaultMove = z.infer<typeof VaultMove>;

/** Which of it is not new but was moved, in order. */
const moved = z.array(VaultMove).optional();

export const VaultChange = z.discriminatedUnion('kind', [
  /** Always the first item; also after a sweep that found too much to list. */
  z.object({ kind: z.literal('all'), entries: z.array(VaultEntry), moved }),
  z.object({ kind: z.literal('some'), changed: z.array(VaultEntry), removed: z.array(NotePath), moved }),
]);
export type VaultChange = z.infer<typeof VaultChange>;

export const vaultOperations = {
  'vault.state': state(z.object({}), VaultState),
  /**
   * `path` is absolute. Replaces the vault that is open. Answers that are being written are stopped only with `force`;
   * without it they are `vault.busy`. The answer is the folder that was opened.
   */
  'vault.open': call(
    z.object({ path: z.string().min(1).max(4096), force: z.boolean().default(false) }),
    z.object({ path: z.string() }),
    [...fileErrors, 'vault.busy', 'vault.disk-full'],
  ),
  /** Its folder is let go: nothing of the app keeps its disk busy. Refused as `vault.open` is. */
  'vault.close': call(z.object({ force: z.boolean().default(false) }), z.void(), ['vault.busy']),
  /** A window came to the front: what no event told of is looked for. */
  'vault.lookAround': call(z.object({}), z.void(), fileErrors),
  /** The sample vault in the person's documents, opened as by `vault.open`. */
  'vault.openSample': call(z.object({ force: z.boolean().default(false) }), z.object({ path: z.string() }), [
    ...writeErrors,
    'vault.busy',
    'host.unsupported',
  ]),
  'vault.recent': call(z.object({}), z.array(z.object({ path: z.string(), name: z.string() }))),
  /**
   * `agreed`: fingerprints of what was shown of the folder at `path`. What changed meanwhile is asked for again; another folder is
   * `settings.changed`.
   */
  'vault.trust': call(
    z.object({ path: z.string(), trusted: z.boolean(), agreed: z.array(z.string().max(200)).default([]) }),
    z.void(),
    [...dataErrors, 'vault.none', 'vault.lost', 'settings.changed'],
  ),
  'vault.entries': stream(z.object({}), VaultChange, fileErrors),
  /** `version` is a hash of the bytes on disk. */
  'vault.read': call(
    z.object({ path: NotePath }),
    z.object({ text: z.string(), version: z.string() }),
    fileErrors,
  ),
  'vault.write': call(
    z.object({ path: NotePath, text: z.string(), expectedVersion: z.string().nullable() }),
    z.object({ version: z.string() }),
    writeErrors,
  ),
  /** The path that was taken: a number is added where the name is in use. */
  'vault.create': call(
    z.object({ path: NotePath, text: z.string().default('') }),
    z.object({ path: NotePath }),
    writeErrors,
  ),
  'vault.createFolder': call(z.object({ path: NotePath }), z.void(), writeErrors),
  'vault.rename': call(z.object({ from: NotePath, to: NotePath }), z.void(), noteErrors),
  'vault.trash': call(z.object({ path: NotePath }), z.void(), noteErrors),
  /** Where the page finds the picture that `target`, written in the note `from`, means; another time it may be elsewhere. */
  'vault.imageAddress': call(z.object({ target: NotePath, from: NotePath }), z.string(), ['vault.none']),
} as const;
