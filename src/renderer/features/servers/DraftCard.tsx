import { X } from 'lucide-react';
import type { ServerDraft } from '../../../contract/mcp';
import { labelled, listed } from '../../base/text/format';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';
import { Button, Callout, Field, IconButton, Input, TextArea } from '../../ui';
import { DraftSandbox } from './DraftSandbox';
import { alsoSet, draftTarget, readPairs, risksOf } from './draft-text';
import { TestServer } from './TestServer';

export interface DraftCardProps {
  draft: ServerDraft;
  /** Where it is added. */
  level: 'user' | 'vault';
  /** A name that could be its; null: its own is free. */
  freeName: string | null;
  /** Its environment or headers as typed; null: as the draft says. */
  pairs: string | null;
  onPairs(text: string): void;
  onChange(changes: Partial<ServerDraft>): void;
  /** Null: it is the only one. */
  onLeaveOut: (() => void) | null;
}

/**
 * A server about to be added: what it would run, its name, its environment, and a try. The caller gives each draft a
 * card (`key`) of its own.
 */
export function DraftCard(props: DraftCardProps) {
  const { draft, level, freeName, pairs: typed, onPairs, onChange, onLeaveOut } = props;
  const local = draft.url === undefined;
  const pairs =
    typed ??
    Object.entries((local ? draft.env : draft.headers) ?? {})
      .map(([name, value]) => `${name}=${value}`)
      .join('\n');
  const also = alsoSet(draft);
  const { wrong } = readPairs(pairs);
  const write = (text: string) => {
    onPairs(text);
    const { values } = readPairs(text);
    onChange(local ? { env: values } : { headers: values });
  };
  return (
    <section className="draft" aria-label={draft.name}>
      <header className="draft-head">
        <pre className="draft-target">{visible(draftTarget(draft))}</pre>
        {onLeaveOut && (
          <IconButton icon={X} label={t('add.leaveOut', { name: draft.name })} onClick={onLeaveOut} />
        )}
      </header>
      {also.length > 0 && (
        <dl className="draft-also" aria-label={t('add.also')}>
          {also.map(([key, value]) => (
            <div key={key}>
              <dt>{key}</dt>
              <dd>{visible(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {risksOf(draft).map((risk) => (
        <Callout key={risk} tone="warn">
          {t(`add.risk.${risk}`)}
        </Callout>
      ))}
      <div className="draft-fields">
        <div className="draft-name">
          <Field
            label={t('add.name')}
            hint={t('add.nameHint')}
            error={freeName === null ? null : t('add.nameTaken', { name: draft.name })}
          >
            {(ties) => (
              <Input
                {...ties}
                value={draft.name}
                onChange={(event) => onChange({ name: event.target.value })}
              />
            )}
          </Field>
          {freeName !== null && (
            <Button size="s" onClick={() => onChange({ name: freeName })}>
              {t('add.useName', { free: freeName })}
            </Button>
          )}
        </div>
        <Field
          label={t(local ? 'add.environment' : 'servers.headers')}
          hint={`${t('add.line')}. ${t('add.secretHint', { secret: '$' + '{secret:NAME}' })}`}
          error={wrong.length > 0 ? labelled(t('add.line'), listed(wrong)) : null}
        >
          {(ties) => (
            <TextArea {...ties} mono value={pairs} onChange={(event) => write(event.target.value)} />
          )}
        </Field>
      </div>
      {local && <DraftSandbox {...{ draft, level, onChange }} />}
      {wrong.length === 0 && <TestServer key={JSON.stringify(draft)} draft={draft} />}
    </section>
  );
}
