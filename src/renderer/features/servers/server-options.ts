import type { ServerChanges, ServerEntry } from '../../../contract/mcp';
import { readLines } from './draft-text';

/** What a form shows of a server's own settings; empty: what holds in general holds. */
export interface ServerOptions {
  readonly timeout: string;
  readonly initTimeout: string;
  readonly concurrency: string;
  readonly longRunning: boolean;
  readonly roots: string;
  readonly autostart: boolean;
  readonly monitoring: 'general' | 'on' | 'off';
  readonly checkInterval: string;
  readonly restarts: string;
}

type NumberOption = 'timeout' | 'initTimeout' | 'concurrency' | 'checkInterval' | 'restarts';

/** What one of the number shown is in the file, the least and the most that it may be. */
export const numberOptions: Readonly<Record<NumberOption, { unit: number; least: number; most: number }>> = {
  timeout: { unit: 1_000, least: 0.1, most: 86_400 },
  initTimeout: { unit: 1_000, least: 0.1, most: 86_400 },
  concurrency: { unit: 1, least: 1, most: 64 },
  checkInterval: { unit: 1_000, least: 1, most: 86_400 },
  restarts: { unit: 1, least: 0, most: 100 },
};

/** All as it is in general. */
export const noOptions: ServerOptions = {
  ...{ timeout: '', initTimeout: '', concurrency: '', longRunning: false, roots: '' },
  ...{ autostart: true, monitoring: 'general', checkInterval: '', restarts: '' },
};

export function optionsOf(server: ServerEntry): ServerOptions {
  const textOf = (key: NumberOption) => {
    const value = server[key];
    return value === null ? '' : String(value / numberOptions[key].unit);
  };
  return {
    timeout: textOf('timeout'),
    initTimeout: textOf('initTimeout'),
    concurrency: textOf('concurrency'),
    longRunning: server.longRunning,
    roots: server.roots?.join('\n') ?? '',
    autostart: server.autostart,
    monitoring: server.monitoring === null ? 'general' : server.monitoring ? 'on' : 'off',
    checkInterval: textOf('checkInterval'),
    restarts: textOf('restarts'),
  };
}

/** Null: that is no number this setting can have. */
export function readNumber(key: NumberOption, text: string): number | null {
  const { unit, least, most } = numberOptions[key];
  const number = Number(text);
  const value = Math.round(number * unit);
  const isWhole = unit > 1 || Number.isInteger(number);
  return text.trim() !== '' && isWhole && number >= least && number <= most ? value : null;
}

export const isWrong = (key: NumberOption, text: string) =>
  text.trim() !== '' && readNumber(key, text) === null;

export const areWrong = (options: ServerOptions) =>
  (Object.keys(numberOptions) as NumberOption[]).some((key) => isWrong(key, options[key]));

/** What the form says differently; null takes a setting away. */
export function optionChanges(before: ServerOptions, now: ServerOptions): ServerChanges {
  const changed = (key: keyof ServerOptions) => before[key] !== now[key];
  const numbers = Object.keys(numberOptions) as NumberOption[];
  return {
    ...Object.fromEntries(numbers.filter(changed).map((key) => [key, readNumber(key, now[key])])),
    ...(changed('longRunning') && { longRunning: now.longRunning || null }),
    ...(changed('roots') && { roots: now.roots.trim() === '' ? null : readLines(now.roots) }),
    ...(changed('autostart') && { autostart: now.autostart }),
    ...(changed('monitoring') && {
      monitoring: now.monitoring === 'general' ? null : now.monitoring === 'on',
    }),
  };
}
