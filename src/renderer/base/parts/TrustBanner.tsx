import { useState } from 'react';
import type { ContributionEntry, KeyAsked, VaultState } from '../../../contract/vault';
import { Badge, Button, Callout } from '../../ui';
import { useAction } from '../core/core';
import { failureText } from '../text/error-words';
import { t } from '../text/text';
import { visible } from '../text/visible';
import { Answers } from './Answers';
import './trust.css';

type Vault = Extract<VaultState, { kind: 'open' }>;

/** What can run and the person has not agreed to yet. */
export const waiting = ({ contributions }: Vault) =>
  contributions.filter(({ consent, lines }) => consent.kind !== 'given' && lines.length > 0);

export function TrustBanner({ vault }: { vault: Vault }) {
  // The list may be longer than its place: what takes keys of the person's is read first.
  const things = waiting(vault).toSorted((a, b) => Number(!a.keys?.length) - Number(!b.keys?.length));
  const request = [vault.path, vault.trusted, ...things.map(({ fingerprint }) => fingerprint)].join('\n');
  // Put off is what was seen; what changes afterwards is asked for again.
  const [later, setLater] = useState('');
  const trust = useAction('vault.trust');
  if (things.length === 0 || later === request) return null;
  return (
    <Callout
      tone="warn"
      title={t(vault.trusted ? 'trust.changedTitle' : 'trust.title')}
      actions={
        <>
          <Button size="s" onClick={() => setLater(request)}>
            {t('trust.no')}
          </Button>
          <Answers to={request}>
            <Button
              size="s"
              look="primary"
              busy={trust.isPending}
              onClick={() =>
                trust.mutate({
                  path: vault.path,
                  trusted: true,
                  agreed: things.map(({ fingerprint }) => fingerprint),
                })
              }
            >
              {t(vault.trusted ? 'trust.agree' : 'trust.yes')}
            </Button>
          </Answers>
        </>
      }
    >
      {vault.wasTrusted && <p>{t('trust.wasTrusted')}</p>}
      {t(vault.trusted ? 'trust.changedText' : 'trust.text')}
      <ContributionList things={things} />
      {trust.error && <p className="failure">{failureText(trust.error)}</p>}
    </Callout>
  );
}

/** Whole commands, addresses and all that steers them; for what changed, what it was and what it is. */
export function ContributionList({ things }: { things: readonly ContributionEntry[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard.
    <ul className="contributions" tabIndex={0} aria-label={t('trust.list')}>
      {things.map((thing) => (
        <li key={`${thing.kind} ${thing.name} ${thing.fingerprint}`}>
          <p>
            <Badge tone={thing.kind === 'server' ? 'warn' : 'neutral'}>{t(`trust.${thing.kind}`)}</Badge>
            <strong>{visible(thing.name)}</strong>
            {thing.consent.kind === 'changed' && <span>{t('trust.changed')}</span>}
          </p>
          <Keys thing={thing} />
          <Lines thing={thing} />
        </li>
      ))}
    </ul>
  );
}

/** What of the person's own leaves with it: before the words that ask for it. */
function Keys({ thing: { keys = [] } }: { thing: ContributionEntry }) {
  if (keys.length === 0) return null;
  return (
    <ul className="contribution-keys">
      {keys.map((key) => (
        <li key={JSON.stringify(key)}>{keyText(key)}</li>
      ))}
    </ul>
  );
}

function keyText(key: KeyAsked): string {
  const words = { name: visible(key.name), to: visible(key.to) };
  if (key.kind === 'variable') return t('trust.variable', words);
  return key.of === null ? t('trust.secret', words) : t('trust.secretOf', { ...words, of: visible(key.of) });
}

/** Instructions may say a line twice. */
const numbered = (lines: readonly string[]) =>
  lines.map((line, index) => ({ line, key: `${index} ${line}` }));

function Lines({ thing: { lines, consent } }: { thing: ContributionEntry }) {
  const before = consent.kind === 'changed' ? consent.before : [];
  const removals = before.filter((line) => !lines.includes(line));
  const isNew = (line: string) => consent.kind === 'changed' && !before.includes(line);
  const isOnlyHidden = consent.kind === 'changed' && removals.length === 0 && !lines.some(isNew);
  return (
    <>
      {removals.length + lines.length > 0 && (
        <pre>
          {numbered(removals).map(({ line, key }) => (
            <del key={key}>{visible(line)}</del>
          ))}
          {numbered(lines).map(({ line, key }) => {
            const Line = isNew(line) ? 'ins' : 'span';
            return <Line key={key}>{visible(line)}</Line>;
          })}
        </pre>
      )}
      {isOnlyHidden && <p>{t('trust.hidden')}</p>}
    </>
  );
}
