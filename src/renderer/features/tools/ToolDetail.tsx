import { ClipboardCopy, TextCursorInput } from 'lucide-react';
import { useState } from 'react';
import { failedWith } from '../../../contract/failed-with';
import type { ToolEntry } from '../../../contract/tools';
import { printToolBlock } from '../../../markdown';
import { useAction } from '../../base/core/core';
import { ForeignIcon } from '../../base/parts/ForeignIcon';
import { InsertButton } from '../../base/parts/InsertButton';
import { LastKnown } from '../../base/parts/NotConnected';
import { useRested } from '../../base/parts/use-rested';
import { toolBlockTemplate } from '../../base/schema/tool-template';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { type Arguments, settle } from '../../base/text/typed-json';
import { visible } from '../../base/text/visible';
import { Badge, Button, Callout, Tabs } from '../../ui';
import { NotYet } from './NotYet';
import { withDefaults } from './shape';
import { ToolDocumentation } from './ToolDocumentation';
import { ToolGrants } from './ToolGrants';
import { ToolRules } from './ToolRules';
import { ToolTrial, type ToolTrialProps } from './ToolTrial';
import { beginTrial, isTried, useTrial } from './trials';

export interface ToolDetailProps {
  tool: ToolEntry;
  /** Whether its server offers it now. */
  offered: boolean;
  /** Arguments to be tried at once; null: begin with the documentation. */
  tried: Readonly<Record<string, unknown>> | null;
  approvalFor: ToolTrialProps['approvalFor'];
  view: ToolTrialProps['view'];
  onClose(): void;
}

/** Milliseconds: what has only just come was not looked at, and a press was meant for what stood there before. */
const unseen = 500;

const defaultsOf = ({ inputSchema }: ToolEntry) => withDefaults({}, inputSchema, inputSchema) as Arguments;

export function ToolDetail({ tool, offered, tried, approvalFor, view, onClose }: ToolDetailProps) {
  const [page, setPage] = useState<'documentation' | 'try'>(tried ? 'try' : 'documentation');
  // Before the first drawing, so that nothing else is seen.
  useState(() => {
    if (tried ?? !isTried(tool)) beginTrial(tool, tried ?? defaultsOf(tool));
  });
  const { args } = useTrial(tool);
  const [copied, setCopied] = useState(false);
  const setEnabled = useAction('tools.setEnabled');
  const setApproval = useAction('tools.setApproval');
  const changeTimeout = useAction('tools.setTimeout');
  const setFlow = useAction('tools.setFlow');
  const seen = useRested(tool.revision, unseen);
  const { name } = tool;
  const failure = setEnabled.error ?? setApproval.error ?? changeTimeout.error ?? setFlow.error;
  const isChanged =
    failedWith('tools.setApproval', setApproval.error, 'tool.changed') ||
    failedWith('tools.setFlow', setFlow.error, 'tool.changed');
  const template = toolBlockTemplate(tool.serverName, name, tool.inputSchema);
  const settled = settle(args);
  const isFilled = JSON.stringify(args) !== JSON.stringify(defaultsOf(tool));
  const filled = () =>
    settled.kind === 'not-yet' ? null : printToolBlock(tool.serverName, name, settled.args);
  const block = settled.kind !== 'not-yet' && !isFilled ? template : filled();

  return (
    <section className="tool" aria-label={name}>
      <header className="tool-head">
        <ToolTitle tool={tool} />
        <LastKnown />
        <ToolRules {...{ tool, seen, setEnabled, setApproval, changeTimeout, setFlow }} />
        <ToolGrants tool={tool} />
        {!offered && <Callout tone="warn">{t('tools.gone', { server: tool.serverName })}</Callout>}
        {isChanged && <Callout tone="warn">{t('tools.changedSeen', { server: tool.serverName })}</Callout>}
        {failure && !isChanged && <Callout tone="bad">{failureText(failure)}</Callout>}
      </header>
      <Tabs
        label={name}
        value={page}
        onChange={setPage}
        tabs={[
          {
            value: 'documentation',
            label: t('tools.documentation'),
            content: <ToolDocumentation tool={tool} example={template} />,
          },
          {
            value: 'try',
            label: t('tools.try'),
            content: <ToolTrial tool={tool} seen={seen} approvalFor={approvalFor} view={view} />,
          },
        ]}
      />
      <footer className="tool-foot">
        <NotYet settled={settled} />
        <Button
          disabled={block === null}
          onClick={() => void navigator.clipboard.writeText(block ?? '').then(() => setCopied(true))}
          onBlur={() => setCopied(false)}
        >
          <ClipboardCopy size={14} strokeWidth={1.75} aria-hidden />
          {copied ? t('ui.copied') : t('tools.copy')}
        </Button>
        <InsertButton
          look="primary"
          disabled={block === null}
          onPress={(insert) => {
            onClose();
            insert((editor) => editor.insertBlock(block ?? ''));
          }}
        >
          <TextCursorInput size={14} strokeWidth={1.75} aria-hidden />
          {t('tools.insert')}
        </InsertButton>
      </footer>
    </section>
  );
}

function ToolTitle({ tool }: { tool: ToolEntry }) {
  return (
    <div className="tool-title">
      <ForeignIcon src={tool.icon} size={20} />
      <h2>{visible(tool.name)}</h2>
      <Badge>{tool.serverName}</Badge>
      {tool.callers && !tool.callers.includes('model') && <Badge>{t('tools.onlyView')}</Badge>}
      <span className="tool-weight">{t('tools.weight', { count: tool.tokens })}</span>
    </div>
  );
}
