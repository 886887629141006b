import type { AnswerRun } from '../../contract/chat';
import type { RunEvent } from '../../core/chat';
import type { CommandLine } from './command-line';
import type { ErrorLine } from './failures';

export interface Printer {
  event(event: RunEvent): void;
  finished(run: AnswerRun): void;
  failed(error: ErrorLine): void;
}

/** How an answer is shown: as text while it comes, as one JSON object at the end, or as one JSON object an event. */
export function createPrinter(form: 'text' | 'json' | 'events', { out, err }: CommandLine): Printer {
  const line = (value: unknown) => out(`${JSON.stringify(value)}\n`);
  let text = '';
  const notices: string[] = [];

  switch (form) {
    case 'events':
      return {
        event: (event) => {
          const item = eventLine(event);
          if (item) line(item);
        },
        finished: (run) => {
          if (run.phase.kind === 'finished' && run.phase.reason === 'cancelled')
            line({ kind: 'finish', reason: 'cancelled' });
        },
        failed: line,
      };
    case 'json':
      return {
        event: (event) => {
          if (event.kind === 'text') text += event.text;
          else if (event.kind === 'notice') notices.push(event.text);
        },
        finished: ({ path, provider, model, phase, round, usage, cost, calls }) =>
          line({
            note: path,
            provider,
            model,
            text,
            reason: phase.kind === 'finished' ? usualReason(phase.reason) : usualReason(phase.kind),
            rounds: round,
            usage,
            cost,
            notices,
            calls: calls.map(({ server, tool, state, ms }) => ({ server, tool, state, ms })),
          }),
        failed: ({ kind: _kind, ...error }) => line({ text, error }),
      };
    case 'text':
      return {
        event: (event) => {
          if (event.kind === 'text') {
            text += event.text;
            out(event.text);
          } else if (event.kind === 'tool-result') err(`[${event.name}: ${event.status}]\n`);
          else if (event.kind === 'retrying') err(`[${event.message} Trying again.]\n`);
        },
        finished: () => out(text.endsWith('\n') ? '' : '\n'),
        failed: ({ message }) => err(`${text && !text.endsWith('\n') ? '\n' : ''}${message}\n`),
      };
  }
}

/** The lines of `--events`; what only the app itself needs is left out. */
function eventLine(event: RunEvent): unknown {
  switch (event.kind) {
    case 'text':
    case 'reasoning':
    case 'notice':
      return { kind: event.kind, text: event.text };
    case 'tool-call':
      return event.arguments
        ? { kind: event.kind, id: event.id, name: event.name, arguments: event.arguments }
        : {
            kind: event.kind,
            id: event.id,
            name: event.name,
            argumentsText: event.argumentsText,
            error: event.error,
          };
    case 'tool-result':
      return { kind: event.kind, id: event.id, name: event.name, status: event.status, text: event.text };
    case 'usage':
      return { kind: event.kind, ...event.usage };
    case 'finish':
      return { kind: event.kind, reason: usualReason(event.reason) };
    case 'tool-call-start':
    case 'tool-call-arguments':
    case 'native':
    case 'usage-so-far':
    case 'source':
    case 'retrying':
      return undefined;
  }
}

/** Why an answer ended, in the spelling that most APIs share: `tool_calls`, `content_filter`. */
function usualReason(reason: string): string {
  return reason.replaceAll('-', '_');
}
