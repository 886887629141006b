import type { PowerSubject } from '../../contract/chat';
import { type PlainKey, t } from '../base/text/text';

const subjects = {
  approval: 'power.approval',
  agent: 'power.agent',
  model: 'power.model',
  max_tokens: 'power.maxTokens',
  reasoning: 'power.reasoning',
  parameters: 'power.parameters',
  web_search: 'power.webSearch',
  tools: 'power.tools',
} as const satisfies Record<PowerSubject, PlainKey>;

export const subjectWords = (what: PowerSubject): string => t(subjects[what]);

/** A value of what a note has a say in, as a person reads it; names of models, agents and tools as they are. */
export function valueWords(what: PowerSubject, value: string | null): string {
  switch (what) {
    case 'approval':
      return t(value === 'allow' ? 'power.runs' : value === 'deny' ? 'power.never' : 'power.asks');
    case 'agent':
      return value ?? t('power.noAgent');
    case 'model':
      return value ?? t('power.nobody');
    case 'max_tokens':
      return value === null ? t('power.noLimit') : t('power.tokens', { count: Number(value) });
    case 'reasoning':
      return t(efforts[value ?? ''] ?? 'power.reasoning.own');
    case 'parameters':
      return value ?? t('power.noParameters');
    case 'web_search':
      return t(value === 'true' ? 'power.on' : 'power.off');
    case 'tools':
      if (value === '*') return t('power.allTools');
      return value === '[]' || value === null ? t('power.noTools') : value.slice(1, -1);
  }
}

const efforts: Readonly<Record<string, PlainKey>> = {
  none: 'power.reasoning.none',
  low: 'power.reasoning.low',
  medium: 'power.reasoning.medium',
  high: 'power.reasoning.high',
};
