import type { DetailsOf } from '../../../contract/errors';
import type { ApprovalAsked } from '../../../contract/tools';
import { own } from '../../foundation';
import { matchesGlobs } from '../catalog/globs';

/** A definition as it was shown when "always" was said. */
export interface Pin {
  readonly definition: string;
  readonly shown: string;
}

export interface PinnedGrant {
  readonly scope: 'note' | 'tool' | 'server';
  readonly serverId: string;
  readonly tool: string | null;
  readonly path: string | null;
  /** Which note it was said in; null: of a time when the name was all that was kept. */
  readonly note: string | null;
  /** Hash of the command or address behind the server. */
  readonly origin: string;
  readonly pins: Readonly<Record<string, Pin>>;
}

export type Rule = 'ask' | 'allow' | 'deny';

export interface PolicyFacts {
  readonly tool: {
    readonly serverId: string;
    readonly serverName: string;
    readonly name: string;
    readonly enabled: boolean;
    readonly definition: string;
    readonly origin: string;
    /** What is shown of the definition now. */
    readonly definitionText: string;
    /** From the server's configuration. */
    readonly approval: Rule | null;
  };
  /** Which note the call comes from; null: none, or one that nothing was said of. */
  readonly note: string | null;
  readonly path: string | null;
  /** The general setting, or what the note or agent says instead. */
  readonly general: Rule;
  readonly grants: readonly PinnedGrant[];
  /** What was in force when the configuration's `allow` was first used. */
  readonly configured: { readonly origin: string; readonly pin: Pin } | null;
  readonly unattended: { readonly allow: readonly string[] } | null;
  /** All tools are, until the person resumes them. */
  readonly paused: boolean;
}

export type Verdict =
  | { readonly kind: 'allow'; readonly by: 'grant' | 'configuration' | 'settings' | 'unattended' }
  | { readonly kind: 'ask'; readonly why: Extract<ApprovalAsked['why'], { kind: 'policy' | 'changed' }> }
  | {
      readonly kind: 'deny';
      readonly by: Exclude<DetailsOf<'tool.denied'>['by'], 'person' | 'limit' | 'flow'>;
      readonly reason: string;
    };

/**
 * May this call be made? The person's "never" comes first; then what was allowed, as long as the tool is still what it
 * was; then the general rule. Where nobody can be asked, asking is denying.
 */
export function verdict(facts: PolicyFacts): Verdict {
  const { tool, unattended } = facts;
  if (facts.paused) return deny('paused', 'All tools are paused.');
  if (!tool.enabled) return deny('off', 'This tool is switched off.');
  if (tool.approval === 'deny') return deny('never', 'This tool is set to “never”.');
  if (tool.approval === null && facts.general === 'deny')
    return deny('never-here', 'Tools are set to “never” here.');
  if (unattended && matchesGlobs(unattended.allow, tool.serverName, tool.name))
    return { kind: 'allow', by: 'unattended' };

  const attended = attendedVerdict(facts);
  if (unattended && attended.kind === 'ask') {
    return deny('unattended', 'Nobody is there to allow this call.');
  }
  return attended;
}

function attendedVerdict({ tool, note, path, general, grants, configured }: PolicyFacts): Verdict {
  let before: string | null = null;
  let formerly = false;
  for (const grant of grants) {
    const covered = covers(grant, tool);
    if (grant.scope === 'note' && (grant.note === null || grant.note !== note)) {
      formerly ||= grant.note === null && grant.path === path && covered !== null;
      continue;
    }
    if (covered?.holds) return { kind: 'allow', by: 'grant' };
    before ??= covered?.pin.shown ?? null;
  }
  if (tool.approval === 'allow') {
    const same =
      !configured || (configured.origin === tool.origin && configured.pin.definition === tool.definition);
    if (same) return { kind: 'allow', by: 'configuration' };
    before ??= configured.pin.shown;
  }
  if (before !== null) return { kind: 'ask', why: { kind: 'changed', before, after: tool.definitionText } };
  if (tool.approval === null && general === 'allow') return { kind: 'allow', by: 'settings' };
  return { kind: 'ask', why: formerly ? { kind: 'policy', formerly } : { kind: 'policy' } };
}

/** Whether a grant speaks of this tool, in whatever note, and still holds for what the tool is now. */
export function covers(
  grant: PinnedGrant,
  tool: Pick<PolicyFacts['tool'], 'serverId' | 'name' | 'definition' | 'origin' | 'approval'>,
): { readonly pin: Pin; readonly holds: boolean } | null {
  if (grant.serverId !== tool.serverId) return null;
  if (grant.scope !== 'server' && grant.tool !== tool.name) return null;
  // "Ask" said of one tool is more than "always" said of its whole server.
  if (grant.scope === 'server' && tool.approval === 'ask') return null;
  const pin = own(grant.pins, tool.name);
  // A tool that the server has added since was not part of what was allowed.
  if (!pin) return null;
  return { pin, holds: pin.definition === tool.definition && grant.origin === tool.origin };
}

function deny(by: Extract<Verdict, { kind: 'deny' }>['by'], reason: string): Verdict {
  return { kind: 'deny', by, reason };
}
