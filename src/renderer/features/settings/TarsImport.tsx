import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { TarsFound } from '../../../contract/agents';
import { failedWith } from '../../../contract/failed-with';
import { useAction, useAsk } from '../../base/core/core';
import { failureText } from '../../base/text/error-words';
import { labelled, listed } from '../../base/text/format';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';
import { Button, Callout, Dialog } from '../../ui';

/**
 * Where the vault has settings of TARS: what of them the person wants to have here, each by itself. `isForProviders`: only
 * where there are providers among them.
 */
export function TarsOffer({ isForProviders = false }: { isForProviders?: boolean }) {
  const queries = useQueryClient();
  const offer = useAsk('agents.findTars', {}, { staleTime: 0 });
  const [isOpen, setOpen] = useState(false);
  const [imported, setImported] = useState<TarsFound | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  if (imported) return <Imported imported={imported} />;
  if (!offer.data || (isForProviders && offer.data.providers.length === 0)) return null;
  return (
    <Callout
      tone="accent"
      title={t('tars.found')}
      actions={
        <Button
          look="primary"
          size="s"
          onClick={() => {
            setProblem(null);
            setOpen(true);
          }}
        >
          {t('tars.choose')}
        </Button>
      }
    >
      <p>{t('tars.offer')}</p>
      {isOpen && (
        <ChooseDialog
          key={offer.data.seen}
          offer={offer.data}
          problem={problem}
          onClose={() => setOpen(false)}
          onFailed={(reason) => {
            setProblem(reason);
            void offer.refetch();
          }}
          onTaken={(all) => {
            setOpen(false);
            setImported(all);
            void queries.invalidateQueries();
          }}
        />
      )}
    </Callout>
  );
}

const usesOwnKey = (provider: TarsFound['providers'][number]) =>
  provider.address !== null && provider.keyVariables.length > 0;

const tagsOf = ({ tags }: TarsFound) => [...tags.newChat, ...tags.user, ...tags.system];

/** What holds in all vaults, or sends a key of the person's elsewhere, is chosen by hand. */
function firstChoice(offer: TarsFound): ReadonlySet<string> {
  return new Set([
    ...offer.providers.filter((provider) => !usesOwnKey(provider)).map(({ id }) => id),
    ...offer.prompts.map(({ id }) => id),
    ...(tagsOf(offer).length > 0 ? ['tags'] : []),
  ]);
}

/** One list of choices from top to bottom. */
function ChooseDialog({
  offer,
  problem,
  onClose,
  onFailed,
  onTaken,
}: {
  offer: TarsFound;
  /** Why the last try took nothing; what is listed may be another since. */
  problem: string | null;
  onClose(): void;
  onFailed(reason: string): void;
  onTaken(imported: TarsFound): void;
}) {
  const take = useAction('agents.importTars');
  const [chosen, setChosen] = useState(() => firstChoice(offer));
  const choice = (id: string, text: ReactNode) => (
    <li key={id}>
      <label>
        <input
          type="checkbox"
          checked={chosen.has(id)}
          onChange={() =>
            setChosen((before) => {
              const after = new Set(before);
              if (!after.delete(id)) after.add(id);
              return after;
            })
          }
        />
        <span>{text}</span>
      </label>
    </li>
  );
  const tags = tagsOf(offer);
  const ask = () =>
    take.mutate(
      { seen: offer.seen, chosen: [...chosen] },
      {
        onSuccess: onTaken,
        onError: (error) =>
          onFailed(
            failedWith('agents.importTars', error, 'settings.changed')
              ? t('tars.changed')
              : failureText(error),
          ),
      },
    );
  return (
    <Dialog
      title={t('tars.title')}
      description={t('tars.text')}
      size="l"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button look="primary" busy={take.isPending} disabled={chosen.size === 0} onClick={ask}>
            {t('tars.import')}
          </Button>
        </>
      }
    >
      {problem !== null && <Callout tone="bad">{problem}</Callout>}
      <div className="tars-choices">
        <Choices title={t('tars.providers')}>
          {offer.providers.map((provider) => choice(provider.id, <ProviderWords provider={provider} />))}
        </Choices>
        <Choices title={t('tars.prompts')}>
          {offer.prompts.map(({ id, title }) => choice(id, visible(title)))}
        </Choices>
        <Choices title={t('tars.everywhere')}>
          {tags.length > 0 &&
            choice('tags', t('tars.tags', { tags: listed(tags.map((tag) => `#${visible(tag)}`)) }))}
          {offer.limits.map(({ id, limit, ours, theirs }) =>
            choice(id, labelled(t(`settings.${limit}`), `${amount(limit, ours)} → ${amount(limit, theirs)}`)),
          )}
          {offer.instructions !== '' &&
            choice(
              'instructions',
              <>
                {t('tars.instructions')}
                <span className="tars-words">{visible(offer.instructions)}</span>
              </>,
            )}
        </Choices>
        <LeftOut skipped={offer.skipped} />
      </div>
    </Dialog>
  );
}

function Choices({ title, children }: { title: string; children: ReactNode }) {
  if (Array.isArray(children) && children.flat().every((child) => !child)) return null;
  return (
    <fieldset>
      <legend>{title}</legend>
      <ul>{children}</ul>
    </fieldset>
  );
}

function ProviderWords({ provider }: { provider: TarsFound['providers'][number] }) {
  const { tag, vendor, model, address, hasKey, keyVariables, options } = provider;
  return (
    <>
      #{visible(tag)}{' '}
      <small className="tars-model">
        {vendor} · {visible(model)}
      </small>
      {address !== null && <small>{t('tars.address', { address: visible(address) })}</small>}
      {hasKey && <small>{t('tars.key')}</small>}
      {usesOwnKey(provider) && (
        <small className="tars-warning">
          {t('tars.ownKey', { address: visible(address ?? ''), names: listed(keyVariables) })}
        </small>
      )}
      {options !== '' && <small>{t('tars.options', { json: visible(options) })}</small>}
    </>
  );
}

const amount = (limit: TarsFound['limits'][number]['limit'], value: number) =>
  limit === 'timeout' ? t('tars.seconds', { count: value / 1_000 }) : String(value);

function LeftOut({ skipped }: { skipped: readonly string[] }) {
  if (skipped.length === 0) return null;
  return (
    <Callout tone="warn" title={t('tars.leftOut')}>
      {skipped.map((one) => (
        <p key={one}>{visible(one)}</p>
      ))}
    </Callout>
  );
}

function Imported({ imported }: { imported: TarsFound }) {
  const { providers, prompts, limits, instructions, skipped } = imported;
  const tags = tagsOf(imported);
  const lines = [
    ...providers.map(({ tag }) => `#${visible(tag)}`),
    ...prompts.map(({ title }) => visible(title)),
    ...(tags.length > 0 ? [t('tars.tags', { tags: listed(tags.map((tag) => `#${visible(tag)}`)) })] : []),
    ...limits.map(({ limit, theirs }) => labelled(t(`settings.${limit}`), amount(limit, theirs))),
    ...(instructions === '' ? [] : [t('tars.instructions')]),
  ];
  return (
    <Callout tone={skipped.length > 0 ? 'warn' : 'good'} title={t('tars.taken')}>
      <p>{lines.join(' · ') || '–'}</p>
      {skipped.map((one) => (
        <p key={one}>{visible(one)}</p>
      ))}
    </Callout>
  );
}
