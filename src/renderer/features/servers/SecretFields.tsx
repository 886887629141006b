import { useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { useAsk, useCore } from '../../base/core/core';
import { type FormDraft, useFormDraft } from '../../base/drafts/form-draft';
import { t } from '../../base/text/text';
import { Badge, Input } from '../../ui';
import { secretsIn } from './draft-text';

/**
 * A field for each secret that the texts ask for. `store` puts what was typed into the key store; to be called before
 * the server is written down, so that it starts with them.
 */
export function useSecretFields(
  /** Which form they are part of. */
  form: string,
  texts: readonly string[],
  /** Secrets that stand in the file and move into the key store by saving. */
  moving: readonly string[] = [],
): { fields: ReactNode; draft: FormDraft<unknown>; store: () => Promise<void> } {
  const core = useCore();
  const queries = useQueryClient();
  const names = secretsIn(texts);
  const secrets = useAsk('mcp.secrets', { names }, { enabled: names.length > 0 });
  const draft = useFormDraft<{ typed: Readonly<Record<string, string>> }>(`${form} secrets`, { typed: {} }, [
    'typed',
  ]);
  const { typed } = draft.values;
  const store = async () => {
    for (const name of names) {
      const value = typed[name];
      if (value) await core.call('mcp.storeSecret', { name, value });
    }
    await queries.invalidateQueries({ queryKey: ['mcp.secrets'] });
  };
  const stateOf = (name: string) => {
    if (moving.includes(name)) return { tone: 'accent', words: t('secret.moves') } as const;
    const stored = secrets.data?.find((one) => one.name === name)?.stored;
    if (stored === undefined) return null;
    return stored
      ? ({ tone: 'good', words: t('secret.stored') } as const)
      : ({ tone: 'warn', words: t('secret.missing') } as const);
  };
  const fields = names.length > 0 && (
    <fieldset className="secrets">
      <legend>
        <KeyRound size={14} strokeWidth={1.75} aria-hidden />
        {t('secret.title')}
      </legend>
      {names.map((name) => {
        const state = stateOf(name);
        return (
          <div key={name} className="secret">
            <code>{name}</code>
            {state && <Badge tone={state.tone}>{state.words}</Badge>}
            {/* Its value is in the file; one typed here would stand beside it. */}
            {!moving.includes(name) && (
              <Input
                type="password"
                autoComplete="off"
                aria-label={name}
                placeholder={t(state?.tone === 'good' ? 'secret.replace' : 'secret.value')}
                value={typed[name] ?? ''}
                onChange={(event) => draft.set({ typed: { ...typed, [name]: event.target.value } })}
              />
            )}
          </div>
        );
      })}
    </fieldset>
  );
  return { fields, draft, store };
}
