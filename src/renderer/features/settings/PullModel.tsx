import { useEffect, useRef, useState } from 'react';
import type { InputOf } from '../../../contract/define';
import type { AppOperations } from '../../../contract/operations';
import { useCore } from '../../base/core/core';
import { failureText } from '../../base/text/error-words';
import { bytes } from '../../base/text/format';
import { t } from '../../base/text/text';
import { Button, Callout } from '../../ui';

type Pull = InputOf<AppOperations['providers.pull']>;
type Progress = { status: string; completed: number | null; total: number | null };

/** Has Ollama fetch a model that it lacks, and shows how far it is. */
export function PullModel({ provider, model, onDone }: Pull & { onDone(): void }) {
  const core = useCore();
  const [progress, setProgress] = useState<Progress | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => () => leaving.current?.abort(), []);

  const pull = async () => {
    const stop = new AbortController();
    leaving.current = stop;
    setProblem(null);
    setProgress({ status: '', completed: null, total: null });
    try {
      for await (const step of core.stream(
        'providers.pull',
        { provider, model },
        { signal: stop.signal, waits: false },
      ))
        setProgress(step);
      onDone();
    } catch (error) {
      if (!stop.signal.aborted) setProblem(error);
    }
    setProgress(null);
  };

  const line = (
    <div className="settings-line">
      <p className="settings-quiet settings-grow" aria-live="polite">
        {progress ? progressText(progress) : t('providers.pullText', { model })}
      </p>
      {progress?.completed != null && progress.total && (
        <progress className="settings-progress" value={progress.completed} max={progress.total} />
      )}
      {progress ? (
        <Button onClick={() => leaving.current?.abort()}>{t('ui.cancel')}</Button>
      ) : (
        <Button onClick={() => void pull()}>{t('providers.pull')}</Button>
      )}
    </div>
  );
  return (
    <>
      {problem !== null && <Callout tone="bad">{failureText(problem)}</Callout>}
      {line}
    </>
  );
}

function progressText({ status, completed, total }: Progress): string {
  return total ? `${status}: ${bytes(completed ?? 0)} / ${bytes(total)}` : status || '…';
}
