import { redact } from './redact';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogFacts = Readonly<Record<string, unknown>>;

export interface LogRecord {
  readonly at: number;
  readonly level: LogLevel;
  readonly name: string;
  readonly event: string;
  readonly facts: LogFacts;
}

/** Event phrase first, facts as fields: `log.info('server starting', { serverId })`. */
export interface Log {
  debug(event: string, facts?: LogFacts): void;
  info(event: string, facts?: LogFacts): void;
  warn(event: string, facts?: LogFacts): void;
  error(event: string, facts?: LogFacts): void;
  named(name: string): Log;
}

/** Redaction happens here, once, so that forgetting it elsewhere is safe. */
export function createLog(sink: (record: LogRecord) => void, name = 'core'): Log {
  const write =
    (level: LogLevel) =>
    (event: string, facts: LogFacts = {}) =>
      sink({ at: Date.now(), level, name, event, facts: redact(facts) as LogFacts });
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    named: (child) => createLog(sink, `${name}.${child}`),
  };
}
