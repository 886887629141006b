import { printCallout } from './tool-calls/print';

/** A model's reasoning, folded away and never sent again. */
export function printThinking(text: string, seconds: number | null): string {
  return printCallout('thinking', seconds === null ? 'Thinking' : `${seconds.toFixed(1)} s`, [text]);
}

export function printFailure(title: string, reason: string, next: string): string {
  return printCallout('failure', title, [reason, ...(next === '' ? [] : ['', next])], '');
}
