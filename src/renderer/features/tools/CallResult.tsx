import { useState } from 'react';
import type { CallOutcome, ResultPart } from '../../../contract/tools';
import { resultText } from '../../../markdown';
import { useLayout } from '../../base/layout/layout';
import { shortMs } from '../../base/text/format';
import { t } from '../../base/text/text';
import { Badge, Button, CopyButton, type Tone } from '../../ui';

const tones: Record<CallOutcome['status'], Tone> = {
  ok: 'good',
  error: 'bad',
  cancelled: 'neutral',
  denied: 'warn',
  interrupted: 'warn',
};

export function CallResult({ outcome }: { outcome: CallOutcome }) {
  return (
    <section className="ui-section result" aria-live="polite">
      <header>
        <h3>{t('tools.result')}</h3>
        <Badge tone={tones[outcome.status]}>{t(`tools.result.${outcome.status}`)}</Badge>
        <span className="tool-quiet">{shortMs(outcome.ms)}</span>
        {outcome.cached && <Badge>{t('tools.result.cached')}</Badge>}
        {outcome.truncated && <Badge>{t('tools.result.truncated')}</Badge>}
        <span className="result-copy">
          <CopyButton text={outcome.parts.map(resultText).join('\n')} />
        </span>
      </header>
      {outcome.parts.length === 0 && <p className="tool-quiet">{t('tools.result.empty')}</p>}
      {outcome.parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts never move.
        <Part key={at} part={part} />
      ))}
    </section>
  );
}

/** Only pictures that cannot carry script. */
const pictures = /^image\/(png|jpeg|gif|webp|avif|bmp)$/;

function ResultImage({ part }: { part: Extract<ResultPart, { kind: 'image' }> }) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <p>{t('note.pictureNotShown', { name: part.mediaType })}</p>;
  const source = `data:${part.mediaType};base64,${part.base64}`;
  return <img className="result-picture" alt="" src={source} onError={() => setBroken(true)} />;
}

function Part({ part }: { part: ResultPart }) {
  const askToOpen = useLayout((layout) => layout.askToOpen);
  switch (part.kind) {
    case 'image':
      return pictures.test(part.mediaType) ? (
        <ResultImage part={part} />
      ) : (
        <pre className="ui-code">{part.mediaType}</pre>
      );
    case 'audio':
      // biome-ignore lint/a11y/useMediaCaption: a tool gives no captions.
      return <audio controls src={`data:${part.mediaType};base64,${part.base64}`} />;
    case 'link':
      return /^https?:/i.test(part.uri) ? (
        <Button size="s" onClick={() => askToOpen(part.uri)}>
          {part.name || part.uri}
        </Button>
      ) : (
        <pre className="ui-code">{resultText(part)}</pre>
      );
    case 'text':
    case 'json':
    case 'resource':
    case 'unknown':
      return <pre className="ui-code result-text">{resultText(part)}</pre>;
  }
}
