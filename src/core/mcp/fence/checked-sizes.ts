import type { Cause } from '../../../contract/server-faults';

type Excess = Extract<Cause, { code: 'long-list' | 'too-many-values' }>;

/**
 * What a schema may be asked to check value by value: of each that is wrong it keeps a finding, and a hundred thousand of them
 * take seconds and gigabytes.
 */
export const mostChecked = {
  /** Entries of one list or object. */
  entries: 1_000,
  /** Of a question, or of what a server says of itself. */
  values: 20_000,
  /** Questions that one answer may put. */
  questions: 100,
  /** Tools, prompts or resources of one page: each is checked by itself. Parts of a result beyond it are left out. */
  listed: 10_000,
  /** In all that is listed on one page. */
  listedValues: 200_000,
};

/** Why a question, or news, holds more than is looked at; null: it does not. Log messages and tasks carry data of any size. */
export function questionExcess(method: string, params: unknown): Excess | null {
  return /^notifications\/(message|tasks)/.test(method)
    ? null
    : excess(params, 'params', mostChecked.values, none);
}

/** The same for an answer, whatever was asked: its fields tell what will be checked. What is data of a tool is not counted. */
export function answerExcess(result: Fields): Excess | null {
  for (const list of lists) {
    if (lengthOf(result[list]) > mostChecked.listed) return tooLong(mostChecked.listed, list);
    const fault = excessIn(result[list], list, mostChecked.listedValues, data);
    if (fault !== null) return fault;
  }
  for (const field of ofItself) {
    const fault = excess(result[field], field, mostChecked.values, none);
    if (fault !== null) return fault;
  }
  for (const { inputRequests } of [result, isFields(result.task) ? result.task : {}]) {
    if (lengthOf(inputRequests) > mostChecked.questions)
      return tooLong(mostChecked.questions, 'inputRequests');
    const fault = excess(inputRequests, 'inputRequests', mostChecked.values, none);
    if (fault !== null) return fault;
  }
  // In the older era results of tools are read by nobody but us, one part after another.
  return 'resultType' in result ? excess(result.content, 'content', mostChecked.values, data) : null;
}

const lists = ['tools', 'prompts', 'resources', 'resourceTemplates', 'messages', 'contents'];
const ofItself = ['capabilities', 'serverInfo', 'supportedVersions', 'completion'];
const none: ReadonlySet<string> = new Set();
/** Any JSON is right in these. */
const data: ReadonlySet<string> = new Set([
  '_meta',
  'input',
  'inputSchema',
  'outputSchema',
  'structuredContent',
]);

function excess(value: unknown, name: string, most: number, skipped: ReadonlySet<string>): Excess | null {
  return lengthOf(value) > mostChecked.entries
    ? tooLong(mostChecked.entries, name)
    : excessIn(value, name, most, skipped);
}

/** `value` may be of any length itself. */
function excessIn(value: unknown, name: string, most: number, skipped: ReadonlySet<string>): Excess | null {
  const open: [name: string, value: unknown][] = [[name, value]];
  let values = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [name, holder] = next;
    if (typeof holder !== 'object' || holder === null) continue;
    for (const [key, inside] of Object.entries(holder)) {
      if (skipped.has(key)) continue;
      if (++values > most) return { code: 'too-many-values', most };
      if (typeof inside !== 'object' || inside === null) continue;
      const named = Array.isArray(holder) ? name : key;
      if (lengthOf(inside) > mostChecked.entries) return tooLong(mostChecked.entries, named);
      open.push([named, inside]);
    }
  }
  return null;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const lengthOf = (value: unknown): number =>
  Array.isArray(value) ? value.length : isFields(value) ? Object.keys(value).length : 0;
const tooLong = (most: number, what: string): Excess => ({
  code: 'long-list',
  most,
  what: what.slice(0, 100),
});
