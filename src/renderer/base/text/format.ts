import { t, useLanguage } from './text';

/** How days, times and numbers are written. */
export const locale = () => (useLanguage.getState().language === 'zh' ? 'zh-CN' : 'en-GB');

/** 12 ms, 1.8 s, 42 s, 2 min 5 s; nothing where it was not measured. A unit ends where it would be rounded up to the next. */
export function shortMs(ms: number | null): string {
  if (ms === null || !Number.isFinite(ms)) return '';
  const [whole, tenths, seconds] = [Math.round(ms), Math.round(ms / 100), Math.round(ms / 1_000)];
  if (whole < 1_000) return t('time.ms', { n: whole });
  if (tenths < 100) return t('time.s', { n: (tenths / 10).toFixed(1) });
  return seconds < 60 ? t('time.s', { n: seconds }) : longTime(ms);
}

/** 3 d 4 h, 2 h 5 min, 3 min 10 s. */
export function longTime(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const units = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const first = units.findIndex(([n]) => n > 0);
  if (first < 0) return t('time.s', { n: 0 });
  return units
    .slice(first, first + 2)
    .filter(([n]) => n > 0)
    .map(([n, unit]) => t(`time.${unit}`, { n }))
    .join(' ');
}

export function ago(at: number, now: number): string {
  const ms = Math.max(0, now - at);
  if (ms < 5_000) return t('time.now');
  if (ms < 60_000) return t('time.secondsAgo', { count: Math.floor(ms / 1_000) });
  if (ms < 3_600_000) return t('time.minutesAgo', { count: Math.floor(ms / 60_000) });
  if (ms < 86_400_000) return t('time.hoursAgo', { count: Math.floor(ms / 3_600_000) });
  return t('time.daysAgo', { count: Math.floor(ms / 86_400_000) });
}

export function clockTime(at: number): string {
  return new Date(at).toLocaleTimeString(locale(), { hour12: false });
}

export function dayAndTime(at: number): string {
  return new Date(at).toLocaleString(locale(), { dateStyle: 'medium', timeStyle: 'medium', hour12: false });
}

/** 14:05. */
export function shortTime(at: number): string {
  return new Date(at).toLocaleTimeString(locale(), { hour: '2-digit', minute: '2-digit', hour12: false });
}

/** 12 Nov. */
export function shortDate(at: number): string {
  return new Date(at).toLocaleDateString(locale(), { day: 'numeric', month: 'short' });
}

export function bytes(n: number): string {
  if (n < 1_024) return `${n} B`;
  if (n < 1_048_576) return `${(n / 1_024).toFixed(n < 10_240 ? 1 : 0)} KB`;
  if (n < 1_073_741_824) return `${(n / 1_048_576).toFixed(1)} MB`;
  return `${(n / 1_073_741_824).toFixed(1)} GB`;
}

/** 950, 1.2k, 18k. */
export function compact(n: number): string {
  if (n < 1_000) return String(Math.round(n));
  return n < 10_000 ? `${(n / 1_000).toFixed(1)}k` : `${Math.round(n / 1_000)}k`;
}

export function percent(share: number): string {
  return t('number.percent', { n: (share * 100).toFixed(share < 0.999 && share > 0.9 ? 1 : 0) });
}

/** 12,345. */
export const wholeNumber = (n: number) => n.toLocaleString(locale());

/** Name: value. */
export const labelled = (name: string, value: string) => t('text.labelled', { name, value });

/** What stands in a row: a, b, c. */
export const listed = (names: readonly string[]) => names.join(t('text.between'));

/** Null where there is nothing to pay, or no price is known. */
export function price(dollars: number | null): string | null {
  if (dollars === null || dollars <= 0) return null;
  return `$${dollars < 0.1 ? dollars.toFixed(4) : dollars.toFixed(2)}`;
}

/** The last part of a path, without the ending of a note. */
export function noteName(path: string): string {
  return (path.split('/').pop() ?? path).replace(/\.md$/i, '');
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
