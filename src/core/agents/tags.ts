import { createHash } from 'node:crypto';
import { tagName } from '../../contract/providers';

/** The assistant tag that an agent answers under: its name, with hyphens where a tag can hold no sign of it. */
export function agentTag(name: string): string {
  const tag = [...name.trim().normalize('NFC')]
    .map((sign) => (tagName.test(`a${sign}`) ? sign : ' '))
    .join('')
    .replace(/ +/g, '-')
    .replace(/^[-/]+|(?<![-/])[-/]+$/g, '');
  if (tagName.test(tag)) return tag;
  // Where nothing is left of one name or another they must not be one.
  return `agent-${tag || createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}
