import { BookOpen, Globe, type LucideIcon, PencilLine, Plus, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { Limits } from '../../../contract/sandbox';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';
import { classes, IconButton, Input } from '../../ui';
import { isEntry, type LimitKind, limitKinds, withEntry, withoutEntry } from './sandbox-limits';

const icons: Readonly<Record<LimitKind, LucideIcon>> = { read: BookOpen, write: PencilLine, hosts: Globe };

export interface LimitListsProps {
  limits: Limits;
  waiting?: boolean;
  onChange(limits: Limits): void;
}

/** What may be read, written and reached, each in words, with what a person added to it. */
export function LimitLists({ limits, waiting = false, onChange }: LimitListsProps) {
  return (
    <div className="limits" aria-busy={waiting || undefined}>
      {limitKinds.map((kind) => (
        <LimitList
          key={kind}
          kind={kind}
          entries={limits[kind]}
          onAdd={(entry) => waiting || onChange(withEntry(limits, kind, entry))}
          onRemove={(entry) => waiting || onChange(withoutEntry(limits, kind, entry))}
        />
      ))}
    </div>
  );
}

interface LimitListProps {
  kind: LimitKind;
  entries: readonly string[];
  onAdd(entry: string): void;
  onRemove(entry: string): void;
}

function LimitList({ kind, entries, onAdd, onRemove }: LimitListProps) {
  const Icon = icons[kind];
  const [typed, setTyped] = useState('');
  const entry = typed.trim();
  const isWrong = entry !== '' && !isEntry(kind, entry);
  const add = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (entry === '' || isWrong) return;
    onAdd(entry);
    setTyped('');
  };
  return (
    <section className="limit" aria-label={t(`sandbox.${kind}`)}>
      <Icon className="limit-icon" size={16} strokeWidth={1.75} aria-hidden />
      <div className="limit-body">
        <h4 className="limit-name">{t(`sandbox.${kind}`)}</h4>
        <p className="limit-always">{t(`sandbox.${kind}.always`)}</p>
        {entries.length > 0 && (
          <ul className="limit-entries">
            {entries.map((one) => (
              <li key={one} className="limit-item">
                <span className={classes('limit-entry', wordsOf(kind, one) === one && 'ui-mono')} title={one}>
                  {visible(wordsOf(kind, one))}
                </span>
                <IconButton
                  size="s"
                  icon={X}
                  label={t('sandbox.remove', { entry: wordsOf(kind, one) })}
                  onClick={() => onRemove(one)}
                />
              </li>
            ))}
          </ul>
        )}
        {/* It may stand in a form of its own. */}
        <div className="limit-add">
          <Input
            mono
            aria-label={t(`sandbox.${kind}.add`)}
            aria-invalid={isWrong}
            placeholder={t(`sandbox.${kind}.add`)}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') add(event);
            }}
          />
          <IconButton icon={Plus} label={t('sandbox.add')} disabled={entry === '' || isWrong} onClick={add} />
        </div>
        {isWrong && (
          <p className="ui-field-error" role="alert">
            {t('sandbox.hosts.wrong')}
          </p>
        )}
      </div>
    </section>
  );
}

/** What a person knows it as. */
function wordsOf(kind: LimitKind, entry: string): string {
  if (kind === 'hosts') return entry === '*' ? t('sandbox.anyHost') : entry;
  return entry === `\${vault}` ? t('sandbox.vault') : entry;
}
