import type { ToolEntry } from '../../../contract/tools';
import type { useAction } from '../../base/core/core';
import { useWhyNot } from '../../base/core/why-not';
import { t } from '../../base/text/text';
import { Badge, Segments, Switch } from '../../ui';
import { ToolFlow } from './ToolFlow';
import { ToolTimeout } from './ToolTimeout';

const claims = ['readOnly', 'destructive', 'idempotent', 'openWorld'] as const;
const claimTones = {
  readOnly: 'good',
  destructive: 'bad',
  idempotent: 'neutral',
  openWorld: 'warn',
} as const;

interface ToolRulesProps {
  tool: ToolEntry;
  /** Its revision that the person has had the time to look at. */
  seen: string;
  setEnabled: ReturnType<typeof useAction<'tools.setEnabled'>>;
  setApproval: ReturnType<typeof useAction<'tools.setApproval'>>;
  changeTimeout: ReturnType<typeof useAction<'tools.setTimeout'>>;
  setFlow: ReturnType<typeof useAction<'tools.setFlow'>>;
}

/** Whether and how a tool is called, and what its server claims of it. */
export function ToolRules({ tool, seen, setEnabled, setApproval, changeTimeout, setFlow }: ToolRulesProps) {
  const whyNot = useWhyNot();
  const { serverId, name } = tool;
  return (
    <div className="tool-rules">
      <span className="tool-rule">
        <Switch
          id="tool-enabled"
          checked={tool.enabled}
          waiting={setEnabled.isPending}
          disabled={whyNot !== undefined}
          title={whyNot}
          onChange={(enabled) => setEnabled.mutate({ serverId, tool: name, enabled })}
        />
        <label htmlFor="tool-enabled">{t('tools.enabled')}</label>
      </span>
      <span className="tool-rule">
        <span>{t('tools.approval')}</span>
        <Segments
          aria-label={t('tools.approval')}
          value={tool.approval}
          disabled={whyNot !== undefined}
          title={whyNot}
          options={(['ask', 'allow', 'deny'] as const).map((value) => ({
            value,
            label: t(`tools.approval.${value}`),
          }))}
          onChange={(approval) => setApproval.mutate({ serverId, tool: name, approval, seen })}
        />
      </span>
      <ToolTimeout
        key={`${serverId} ${name}`}
        tool={tool}
        onChange={(timeout) =>
          changeTimeout.mutateAsync({ serverId, tool: name, timeout, seen: tool.timeout }).then(
            () => true,
            () => false,
          )
        }
      />
      <ToolFlow
        tool={tool}
        isWaiting={setFlow.isPending}
        onChange={(flow) => setFlow.mutate({ serverId, tool: name, flow, seen })}
      />
      {claims.some((claim) => tool.annotations[claim]) && (
        <span className="tool-rule">
          <span>{t('tools.claims')}</span>
          {claims
            .filter((claim) => tool.annotations[claim])
            .map((claim) => (
              <Badge key={claim} tone={claimTones[claim]}>
                {t(`tools.claim.${claim}`)}
              </Badge>
            ))}
        </span>
      )}
    </div>
  );
}
