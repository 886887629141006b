import type { ServerDraft } from '../../../contract/mcp';
import { presetOf } from '../../../contract/sandbox-presets';
import { t } from '../../base/text/text';
import { Field, Switch } from '../../ui';
import { LimitLists } from './LimitLists';
import { limitsAtFirst, limitsOfDraft } from './sandbox-limits';

export interface DraftSandboxProps {
  draft: ServerDraft;
  level: 'user' | 'vault';
  onChange(changes: Partial<ServerDraft>): void;
}

/** What a server about to be added may touch. */
export function DraftSandbox({ draft, level, onChange }: DraftSandboxProps) {
  const limits = limitsOfDraft(draft, level);
  return (
    <div className="draft-sandbox">
      <Field row label={t('sandbox.switch')} hint={t(limits === null ? 'sandbox.off' : 'sandbox.on')}>
        {({ id }) => (
          <Switch
            id={id}
            checked={limits !== null}
            onChange={(next) => onChange({ sandbox: next && (presetOf(draft) ?? limitsAtFirst(level)) })}
          />
        )}
      </Field>
      {limits !== null && <LimitLists limits={limits} onChange={(sandbox) => onChange({ sandbox })} />}
    </div>
  );
}
