import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { CallOutcome, ToolEntry } from '../../../contract/tools';
import { useCore } from '../../base/core/core';
import { useWhyNot } from '../../base/core/why-not';
import { useActiveNote } from '../../base/layout/layout';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { type Arguments, printTyped, readArguments, settle, Unread } from '../../base/text/typed-json';
import { Button, Callout, Segments } from '../../ui';
import { CallResult } from './CallResult';
import { NotYet } from './NotYet';
import { RawField } from './RawField';
import { ObjectFields } from './SchemaForm';
import { fieldsOf, missing, withDefaults } from './shape';
import { useTrial } from './trials';

export interface ToolTrialProps {
  tool: ToolEntry;
  /** Its revision that the person has had the time to look at. */
  seen: string;
  /** What the tool's own call waits for, if it does. */
  approvalFor(tool: ToolEntry): ReactNode;
  view: ShowView;
}

/** Draws the view of a tool that brings one; `outcome` is null while the call runs. */
export type ShowView = (
  tool: ToolEntry,
  path: string | null,
  args: Arguments,
  outcome: CallOutcome | null,
) => ReactNode;

/** Calls the tool by hand, through the same checks as a model's call; the button is the person's yes. One form from top to bottom. */
export function ToolTrial({ tool, seen, approvalFor, view }: ToolTrialProps) {
  const whyNot = useWhyNot();
  const path = useActiveNote();
  const { args, trial, change } = useTrial(tool);
  const onChange = (next: Arguments | Unread) => change({ args: next });
  const [chosen, setForm] = useState<'form' | 'json'>('form');
  // The fields of a text that cannot be read are not known.
  const form = args instanceof Unread ? 'json' : chosen;
  const [tried, setTried] = useState(false);
  const schema = tool.inputSchema;
  const fields = fieldsOf(schema, schema);
  const settled = settle(args);
  const whole = withDefaults(args, schema, schema) as Arguments;
  const lacking = missing(whole, schema, schema);

  const { result, run } = useRun({ tool, seen, path, trial, change }, () => {
    setTried(true);
    return whyNot !== undefined || settled.kind === 'not-yet' || lacking.length > 0 ? null : whole;
  });

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
            onChange={(next) => {
              setForm(next);
              // What stands in the box is what is tried: also where fields of it could not be read.
              if (next === 'json') onChange(readArguments(printTyped(args)));
            }}
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
          read={readArguments}
          onChange={(next) => onChange(next as Arguments | Unread)}
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
        <Button
          type="submit"
          look="primary"
          busy={trial.kind === 'running'}
          disabled={settled.kind === 'not-yet' || whyNot !== undefined}
          title={whyNot}
        >
          {t(trial.kind === 'running' ? 'tools.running' : 'tools.run')}
        </Button>
        {trial.kind === 'running' && <Button onClick={() => trial.stop.abort()}>{t('tools.stop')}</Button>}
        <NotYet settled={settled} />
      </div>
      {trial.kind === 'running' && approvalFor(tool)}
      <div ref={result} className="trial-result">
        {trial.kind === 'failed' && <Callout tone="bad">{failureText(trial.error)}</Callout>}
        {trial.kind === 'answered' && tool.viewUri !== undefined && hasResult(trial.outcome) && (
          <div key={trial.outcome.callId}>{view(tool, path, trial.args, trial.outcome)}</div>
        )}
        {trial.kind === 'answered' && <CallResult outcome={trial.outcome} />}
      </div>
    </form>
  );
}

interface RunParts extends Pick<ReturnType<typeof useTrial>, 'trial' | 'change'> {
  readonly tool: ToolEntry;
  readonly seen: string;
  /** The note that is looked at. */
  readonly path: string | null;
}

/** Runs the trial; its result is scrolled to. `ready`: what it is to be called with; null: it may not be. */
function useRun({ tool, seen, path, trial, change }: RunParts, ready: () => Arguments | null) {
  const core = useCore();
  const result = useRef<HTMLDivElement>(null);
  const [awaited, setAwaited] = useState(false);
  const isRunning = trial.kind === 'running';
  useEffect(() => {
    if (!awaited || isRunning) return;
    setAwaited(false);
    result.current?.scrollIntoView({ block: 'nearest' });
  }, [awaited, isRunning]);

  const run = async () => {
    const args = ready();
    if (args === null) return;
    const stop = new AbortController();
    change({ args, trial: { kind: 'running', stop } });
    setAwaited(true);
    try {
      const { serverId, name } = tool;
      const call = { serverId, tool: name, arguments: args as never, path, seen };
      const outcome = await core.call('tools.call', call, { signal: stop.signal });
      change({ trial: { kind: 'answered', args, outcome } });
    } catch (error) {
      change({ trial: stop.signal.aborted ? { kind: 'idle' } : { kind: 'failed', error } });
    }
  };
  return { result, run };
}

const hasResult = ({ status }: CallOutcome) => status === 'ok' || status === 'error';
