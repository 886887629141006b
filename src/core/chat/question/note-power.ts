import type { NotePower, PowerChange, PowerSubject } from '../../../contract/chat';
import type { PowerField } from '../../../contract/front-matter-fields';
import { agentPowers, agentWords, listWords, quotedWords, type ResolvedAgent, wordsOf } from '../../agents';
import type { Answerer } from './answerer';
import type { NoteSettings } from './note-settings';

type Rule = 'ask' | 'allow' | 'deny';

/**
 * What a note says that can give power, each value in words for a person: other words are another value. `answers` is who
 * answers, as found; a tag in the note is as much the note's word as its front matter. `named` is whom its front matter names.
 */
export function powersOf(
  note: NoteSettings,
  {
    answers,
    named,
    isChosen,
  }: { answers: ResolvedAgent | null; named: ResolvedAgent | null; isChosen: boolean },
): NotePower[] {
  const plain = (field: PowerField, value: string | null): NotePower[] =>
    value === null ? [] : [{ field, agent: null, words: `${field}: ${value}` }];
  const valueWords = <T>(value: T | null, print: (value: T) => string) =>
    value === null ? null : print(value);
  return [
    ...approvalPower(note, answers, isChosen),
    ...(note.agent === null
      ? []
      : [
          {
            field: 'agent' as const,
            agent: named?.name ?? note.agent,
            words: named ? agentPowers(named).join('\n') : `agent: ${wordsOf(note.agent)}`,
          },
        ]),
    ...plain('model', valueWords(note.model, wordsOf)),
    ...plain('max_tokens', valueWords(note.maxTokens, String)),
    ...plain('reasoning', note.reasoning),
    ...plain('parameters', valueWords(note.parameters, quotedWords)),
    ...plain('web_search', valueWords(note.webSearch, String)),
    ...plain('tools', valueWords(note.tools, listWords)),
  ];
}

/** That tools run without a yes is worth what runs, by whose instructions. */
function approvalPower(note: NoteSettings, answers: ResolvedAgent | null, isChosen: boolean): NotePower[] {
  const field = 'approval';
  if ((note.approval ?? answers?.approval) !== 'allow')
    return note.approval === null ? [] : [{ field, agent: null, words: `approval: ${note.approval}` }];
  const isAgents = note.approval === null;
  // An agent that the person chose for this question needs no word of the note's.
  if (isChosen && isAgents && note.tools === null) return [];
  const agent = isChosen && !isAgents ? null : answers;
  const lines = [
    ...(note.approval === null ? [] : [`approval: ${note.approval}`]),
    ...(note.tools === null ? [] : [`tools: ${listWords(note.tools)}`]),
    ...(agent === null ? [] : agentWords(agent)),
  ];
  return [{ field, agent: agent?.name ?? null, words: lines.join('\n') }];
}

/**
 * Where `wanted` goes beyond `now`. What is the same, less or asked about more does not; neither does what nobody can have from
 * who answers. `general`: the person's own rule for tools. `now` null: nobody would answer.
 */
export function wideningsOf(proposal: Answerer, now: Answerer | null, general: Rule): PowerChange[] {
  const widenings: PowerChange[] = [];
  const add = (what: PowerSubject, before: string | null, wants: string | null) =>
    widenings.push({ what, now: before, wants });

  const approval = proposal.approval ?? general;
  const approvalNow = now?.approval ?? general;
  if (rules.indexOf(approval) > rules.indexOf(approvalNow)) add('approval', approvalNow, approval);
  if (!isSameModel(proposal, now)) add('model', now && modelWords(now), modelWords(proposal));
  const longest = proposal.maxTokens ?? proposal.provider.usual.maxTokens;
  const longestNow = now ? (now.maxTokens ?? now.provider.usual.maxTokens) : 0;
  if (longestNow !== null && (longest === null || longest > longestNow))
    add('max_tokens', now && String(longestNow), longest === null ? null : String(longest));
  const effort = proposal.reasoning ?? proposal.provider.usual.reasoning;
  const effortNow = now ? (now.reasoning ?? now.provider.usual.reasoning) : 'none';
  if (efforts.indexOf(effort) > efforts.indexOf(effortNow)) add('reasoning', effortNow, effort);
  const costly = proposal.provider.costly(proposal.parameters ?? {});
  const costlyNow = now?.provider.costly(now.parameters ?? {}) ?? null;
  if (costly !== null && JSON.stringify(costly) !== JSON.stringify(costlyNow))
    add('parameters', costlyNow && quotedWords(costlyNow), quotedWords(costly));
  if (searches(proposal) && !(now && searches(now))) add('web_search', 'false', 'true');
  const tools = now ? now.tools : [];
  if (!isWithin(proposal.tools, tools)) add('tools', toolWords(tools), toolWords(proposal.tools));
  const { agent } = proposal;
  if (widenings.length > 0 && agent && agent.name !== now?.agent?.name)
    add('agent', now?.agent ? wordsOf(now.agent.name) : null, wordsOf(agent.name));
  return widenings;
}

const isSameModel = (one: Answerer, other: Answerer | null) =>
  one.provider.id === other?.provider.id && one.provider.model === other.provider.model;

const rules: readonly Rule[] = ['deny', 'ask', 'allow'];
/** `null`: as much as the model does by itself. */
const efforts: readonly Answerer['reasoning'][] = ['none', null, 'low', 'medium', 'high'];

const modelWords = ({ provider, providerTag }: Answerer) => `${wordsOf(provider.model)} · #${providerTag}`;

const toolWords = (globs: readonly string[] | null) => (globs === null ? '*' : listWords(globs));

const searches = ({ webSearch, provider }: Answerer) =>
  (webSearch ?? provider.search.isOn) && provider.search.can !== 'never';

/** Whether globs offer nothing that the others do not; in doubt they do. */
function isWithin(globs: readonly string[] | null, others: readonly string[] | null): boolean {
  if (others === null || others.some((glob) => ['*', '**', '*/*'].includes(glob))) return true;
  if (globs === null) return false;
  return globs.every((glob) => others.includes(glob) || others.includes(glob.split('/')[0] ?? glob));
}

const settingOf = {
  approval: 'approval',
  agent: 'agent',
  model: 'model',
  max_tokens: 'maxTokens',
  reasoning: 'reasoning',
  parameters: 'parameters',
  web_search: 'webSearch',
  tools: 'tools',
} as const satisfies Record<PowerField, keyof NoteSettings>;

export const saysField = (note: NoteSettings, field: PowerField): boolean => note[settingOf[field]] !== null;

/** The note as it would be without what these fields say. */
export const withoutFields = (note: NoteSettings, fields: ReadonlySet<PowerField>): NoteSettings => ({
  ...note,
  ...Object.fromEntries([...fields].map((field) => [settingOf[field], null])),
});
