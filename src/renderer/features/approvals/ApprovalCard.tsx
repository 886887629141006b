import { ChevronDown, ShieldQuestion } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useId, useRef } from 'react';
import type { ApprovalAsked } from '../../../contract/tools';
import { useConnected } from '../../base/core/connected';
import { keyLabels } from '../../base/keyboard/keys';
import { Answers } from '../../base/parts/Answers';
import { useIsFresh } from '../../base/parts/fresh';
import { differences } from '../../base/text/differences';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';
import { Badge, Button, Input, Kbd, Menu, type MenuItem, TextArea } from '../../ui';
import { useIsArmed } from './armed';
import { asksForLeave, claims, isElsewhere, printArguments, whyWords } from './asked-words';
import { type CardFace, cardFace } from './card-face';
import { FlowSources } from './FlowSources';
import { useAnswerable, useShownCard } from './shown-cards';
import { useDecide, useDrafts } from './waiting';

export interface ApprovalCardProps {
  approval: ApprovalAsked;
  /** Where Escape on the card itself leads; left out: whatever stands around it takes it. */
  onLeave?(): void;
}

/** One call that waits: everything that would be sent, and every answer. One list of JSX from the question to the answers. */
export function ApprovalCard({ approval, onLeave }: ApprovalCardProps) {
  const { decide, allow, deny } = useDecide();
  const problem = useDrafts(({ problems }) => problems.get(approval.id));
  const refusing = useDrafts(({ reasons }) => reasons.has(approval.id));
  const refuse = useDrafts((drafts) => drafts.refuse);
  const isAnswered = useDrafts(({ answering }) => answering.has(approval.id));
  const connected = useConnected();
  const isArmed = useIsArmed(approval.id);
  const isFresh = useIsFresh(approval.id);
  const card = useRef<HTMLElement>(null);
  useShownCard(approval.id, card);
  const hasKeys = useAnswerable()?.id === approval.id;
  const id = useId();
  const { title, detail } = whyWords(approval);
  const isEdited = useDrafts(({ texts }) => texts.has(approval.id));
  const face = cardFace(isEdited, refusing);
  const keys = (combination: string): ReactNode => hasKeys && <Kbd keys={keyLabels(combination)} />;
  const more: MenuItem[] = [
    ...(approval.path === null ? [] : [{ label: t('ask.allowNote'), run: () => allow(approval, 'note') }]),
    {
      label: t('ask.allowTool'),
      keys: hasKeys ? keyLabels('Alt-a') : undefined,
      run: () => allow(approval, 'tool'),
    },
    { label: t('ask.allowServer', { server: approval.serverName }), run: () => allow(approval, 'server') },
  ];
  return (
    <article
      ref={card}
      className="approval"
      aria-labelledby={id}
      aria-busy={isAnswered}
      data-armed={isArmed}
      data-fresh={isFresh}
      tabIndex={-1}
      onKeyDown={(event) => leave(event, onLeave)}
    >
      <header>
        <ShieldQuestion size={16} strokeWidth={1.75} aria-hidden />
        <h3 id={id}>{title}</h3>
        <span className="approval-name">
          {visible(approval.serverName)} · {visible(approval.tool)}
        </span>
        <span className="approval-claims">
          {claims(approval.annotations).map(({ text, careful }) => (
            <Badge key={text} tone={careful ? 'warn' : 'neutral'}>
              {text}
            </Badge>
          ))}
        </span>
      </header>
      {detail && <p>{detail}</p>}
      {approval.why.kind === 'changed' && !isElsewhere(approval.why) && (
        <Difference before={visible(approval.why.before)} after={visible(approval.why.after)} />
      )}
      {approval.flow && <FlowSources sources={approval.flow} />}
      <Arguments approval={approval} face={face} isAnswered={isAnswered} />
      {problem && connected && (
        <p className="approval-problem" role="alert">
          {problem}
        </p>
      )}
      <Answers to={approval.id} endsWithCore given={isAnswered}>
        {face === 'refusing' || face === 'edited and refusing' ? (
          <Refusal id={approval.id} onDeny={() => deny(approval)} />
        ) : (
          <footer>
            <Button size="s" look="primary" onClick={() => allow(approval, 'once')}>
              {t(approval.why.kind === 'call-limit' ? 'ask.goOn' : 'ask.allowOnce')}
              {keys('Alt-y')}
            </Button>
            {approval.why.kind === 'cached' && (
              <Button size="s" onClick={() => void decide(approval, { kind: 'use-cached' })}>
                {t('ask.useCached')}
              </Button>
            )}
            {approval.why.kind === 'flow' && (approval.path ?? approval.runId) !== null && (
              <Button size="s" onClick={() => allow(approval, 'conversation')}>
                {t('ask.allowConversation')}
              </Button>
            )}
            {asksForLeave(approval) && (
              <Menu items={more}>
                <Button size="s">
                  {t('ask.allowMore')}
                  <ChevronDown size={12} aria-hidden />
                </Button>
              </Menu>
            )}
            <span className="approval-gap" />
            <Button size="s" look="quiet" onClick={() => refuse(approval.id, '')}>
              {t('ask.denyReason')}
            </Button>
            <Button size="s" look="danger" onClick={() => deny(approval)}>
              {t('ask.deny')}
              {keys('Alt-n')}
            </Button>
          </footer>
        )}
      </Answers>
    </article>
  );
}

function Arguments(props: { approval: ApprovalAsked; face: CardFace; isAnswered: boolean }) {
  const { approval, face, isAnswered } = props;
  const draft = useDrafts(({ texts }) => texts.get(approval.id)) ?? '';
  const write = useDrafts((drafts) => drafts.write);
  const printed = printArguments(approval.arguments);
  if (face === 'edited' || face === 'edited and refusing') {
    return (
      <div className="approval-arguments">
        <TextArea
          aria-label={t('ask.arguments')}
          autoFocus={draft === printed}
          spellCheck={false}
          readOnly={isAnswered}
          rows={Math.min(14, draft.split('\n').length + 1)}
          value={draft}
          onChange={(event) => write(approval.id, event.target.value)}
        />
        <Button size="s" look="quiet" disabled={isAnswered} onClick={toCard(() => write(approval.id, null))}>
          {t('ask.asAsked')}
        </Button>
      </div>
    );
  }
  const empty = Object.keys(approval.arguments).length === 0;
  return (
    <div className={empty ? 'approval-arguments approval-empty' : 'approval-arguments'}>
      {empty ? <p>{t('ask.noArguments')}</p> : <pre>{printed}</pre>}
      {asksForLeave(approval) && (
        <Button size="s" look="quiet" disabled={isAnswered} onClick={() => write(approval.id, printed)}>
          {t('ask.edit')}
        </Button>
      )}
    </div>
  );
}

/** What is pressed goes away with its box: the keyboard stays in the card. */
const toCard = (act: () => void) => (event: MouseEvent<HTMLElement>) => {
  event.currentTarget.closest<HTMLElement>('.approval')?.focus();
  act();
};

/** Escape in a box leaves the box, then the card: no word about the call, and none about the answer. What is typed stays. */
function leave(event: KeyboardEvent<HTMLElement>, onLeave: (() => void) | undefined): void {
  if (event.key !== 'Escape' || event.defaultPrevented || !(event.target instanceof Element)) return;
  const card = event.currentTarget;
  const next = event.target.matches('input, textarea') ? () => card.focus() : onLeave;
  if (!next) return;
  event.preventDefault();
  event.stopPropagation();
  next();
}

function Refusal({ id, onDeny }: { id: string; onDeny(): void }) {
  const reason = useDrafts(({ reasons }) => reasons.get(id)) ?? '';
  const refuse = useDrafts((drafts) => drafts.refuse);
  return (
    <form
      className="approval-refusal"
      onSubmit={(event) => {
        event.preventDefault();
        onDeny();
      }}
    >
      <Input
        autoFocus={reason === ''}
        aria-label={t('ask.whyNot')}
        placeholder={t('ask.whyNotHint')}
        value={reason}
        onChange={(event) => refuse(id, event.target.value)}
      />
      <Button size="s" look="danger" type="submit">
        {t('ask.deny')}
      </Button>
      <Button size="s" look="quiet" onClick={toCard(() => refuse(id, null))}>
        {t('ask.back')}
      </Button>
    </form>
  );
}

function Difference({ before, after }: { before: string; after: string }) {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { fromA, toA, fromB, toB } of differences(before, after)) {
    parts.push(before.slice(at, fromA));
    if (toA > fromA) parts.push(<del key={`a${fromA}`}>{before.slice(fromA, toA)}</del>);
    if (toB > fromB) parts.push(<ins key={`b${fromB}`}>{after.slice(fromB, toB)}</ins>);
    at = toA;
  }
  return (
    <pre className="approval-difference">
      {parts}
      {before.slice(at)}
    </pre>
  );
}
