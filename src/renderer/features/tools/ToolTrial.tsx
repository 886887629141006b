import { type ReactNode, useRef, useState } from 'react';
import type { CallOutcome, ToolEntry } from '../../../contract/tools';
import { useCore } from '../../app/core';
import { failureText } from '../../app/failure';
import { useActiveNote } from '../../app/layout';
import { t } from '../../app/text';
import { Button, Callout, Segments } from '../../ui';
import { CallResult } from './CallResult';
import { RawField } from './RawField';
import { ObjectFields } from './SchemaForm';
import { fieldsOf, missing } from './schema';

type Arguments = Record<string, unknown>;
type Trial =
  | { kind: 'idle' }
  | { kind: 'running' }
  | { kind: 'answered'; args: Arguments; outcome: CallOutcome }
  | { kind: 'failed'; error: unknown };

export interface ToolTrialProps {
  tool: ToolEntry;
  args: Arguments;
  onChange(args: Arguments): void;
  /** What the tool's own call waits for, if it does. */
  asked(tool: ToolEntry): ReactNode;
  view: ShowView;
}

/** Draws the view of a tool that brings one; `outcome` is null while the call runs. */
export type ShowView = (
  tool: ToolEntry,
  path: string | null,
  args: Arguments,
  outcome: CallOutcome | null,
) => ReactNode;

/** Calls the tool by hand, through the same checks and approvals as a model's call. */
export function ToolTrial({ tool, args, onChange, asked, view }: ToolTrialProps) {
  const core = useCore();
  const path = useActiveNote();
  const [trial, setTrial] = useState<Trial>({ kind: 'idle' });
  const [form, setForm] = useState<'form' | 'json'>('form');
  const [tried, setTried] = useState(false);
  const stop = useRef<AbortController>(null);
  const schema = tool.inputSchema;
  const fields = fieldsOf(schema, schema);
  const lacking = missing(args, schema, schema);

  const run = async () => {
    setTried(true);
    if (lacking.length > 0) return;
    const running = new AbortController();
    stop.current = running;
    setTrial({ kind: 'running' });
    try {
      const call = { serverId: tool.serverId, tool: tool.name, arguments: args as never, path };
      const outcome = await core.call('tools.call', call, { signal: running.signal });
      setTrial({ kind: 'answered', args, outcome });
    } catch (error) {
      setTrial(running.signal.aborted ? { kind: 'idle' } : { kind: 'failed', error });
    }
  };

  return (
    <form
      className="tool-page"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      {fields.length > 0 && (
        <div className="trial-mode">
          <Segments
            aria-label={t('tools.arguments')}
            value={form}
            options={[
              { value: 'form', label: t('tools.asForm') },
              { value: 'json', label: t('tools.asJson') },
            ]}
            onChange={setForm}
          />
        </div>
      )}
      {fields.length === 0 && <p className="tool-quiet">{t('tools.noArguments')}</p>}
      {fields.length > 0 && form === 'form' && (
        <ObjectFields
          fields={fields}
          schema={schema}
          root={schema}
          value={args}
          onChange={(next) => onChange(next as Arguments)}
        />
      )}
      {fields.length > 0 && form === 'json' && (
        <RawField
          aria-label={t('tools.arguments')}
          value={args}
          onChange={(next) => {
            if (next === undefined) onChange({});
            else if (typeof next === 'object' && next !== null && !Array.isArray(next))
              onChange(next as Arguments);
          }}
        />
      )}
      {tried && lacking.length > 0 && (
        <Callout tone="warn">
          {lacking.map((name) => (
            <p key={name}>
              <code>{name}</code>: {t('form.missing')}
            </p>
          ))}
        </Callout>
      )}
      <div className="trial-actions">
        <Button type="submit" look="primary" busy={trial.kind === 'running'}>
          {t(trial.kind === 'running' ? 'tools.running' : 'tools.run')}
        </Button>
        {trial.kind === 'running' && <Button onClick={() => stop.current?.abort()}>{t('tools.stop')}</Button>}
      </div>
      {trial.kind === 'running' && asked(tool)}
      {trial.kind === 'failed' && <Callout tone="bad">{failureText(trial.error)}</Callout>}
      {trial.kind === 'answered' && tool.viewUri !== undefined && hasResult(trial.outcome) && (
        <div key={trial.outcome.callId}>{view(tool, path, trial.args, trial.outcome)}</div>
      )}
      {trial.kind === 'answered' && <CallResult outcome={trial.outcome} />}
    </form>
  );
}

const hasResult = ({ status }: CallOutcome) => status === 'ok' || status === 'error';
