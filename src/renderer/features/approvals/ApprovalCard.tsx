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
  asked: ApprovalAsked;
  /** Where Escape on the card itself leads; left out: whatever stands around it takes it. */
  onLeave?(): void;
}

/** One call that waits: everything that would be sent, and every answer. One list of JSX from the question to the answers. */
export function ApprovalCard({ asked, onLeave }: ApprovalCardProps) {
  const { decide, allow, deny } = useDecide();
  const problem = useDrafts(({ problems }) => problems.get(asked.id));
  const refusing = useDrafts(({ reasons }) => reasons.has(asked.id));
  const refuse = useDrafts((drafts) => drafts.refuse);
  const isAnswered = useDrafts(({ answering }) => answering.has(asked.id));
  const connected = useConnected();
  const isArmed = useIsArmed(asked.id);
  const isFresh = useIsFresh(asked.id);
  const card = useRef<HTMLElement>(null);
  useShownCard(asked.id, card);
  const hasKeys = useAnswerable()?.id === asked.id;
  const id = useId();
  const { title, detail } = whyWords(asked);
  const isEdited = useDrafts(({ texts }) => texts.has(asked.id));
  const face = cardFace(isEdited, refusing);
  const keys = (combination: string): ReactNode => hasKeys && <Kbd keys={keyLabels(combination)} />;
  const more: MenuItem[] = [
    ...(asked.path === null ? [] : [{ label: t('ask.allowNote'), run: () => allow(asked, 'note') }]),
    {
      label: t('ask.allowTool'),
      keys: hasKeys ? keyLabels('Alt-a') : undefined,
      run: () => allow(asked, 'tool'),
    },
    { label: t('ask.allowServer', { server: asked.serverName }), run: () => allow(asked, 'server') },
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
          {visible(asked.serverName)} · {visible(asked.tool)}
        </span>
        <span className="approval-claims">
          {claims(asked.annotations).map(({ text, careful }) => (
            <Badge key={text} tone={careful ? 'warn' : 'neutral'}>
              {text}
            </Badge>
          ))}
        </span>
      </header>
      {detail && <p>{detail}</p>}
      {asked.why.kind === 'changed' && !isElsewhere(asked.why) && (
        <Difference before={visible(asked.why.before)} after={visible(asked.why.after)} />
      )}
      {asked.flow && <FlowSources sources={asked.flow} />}
      <Arguments asked={asked} face={face} isAnswered={isAnswered} />
      {problem && connected && (
        <p className="approval-problem" role="alert">
          {problem}
        </p>
      )}
      <Answers to={asked.id} endsWithCore given={isAnswered}>
        {face === 'refusing' || face === 'edited and refusing' ? (
          <Refusal id={asked.id} onDeny={() => deny(asked)} />
        ) : (
          <footer>
            <Button size="s" look="primary" onClick={() => allow(asked, 'once')}>
              {t(asked.why.kind === 'call-limit' ? 'ask.goOn' : 'ask.allowOnce')}
              {keys('Alt-y')}
            </Button>
            {asked.why.kind === 'cached' && (
              <Button size="s" onClick={() => void decide(asked, { kind: 'use-cached' })}>
                {t('ask.useCached')}
              </Button>
            )}
            {asked.why.kind === 'flow' && (asked.path ?? asked.runId) !== null && (
              <Button size="s" onClick={() => allow(asked, 'conversation')}>
                {t('ask.allowConversation')}
              </Button>
            )}
            {asksForLeave(asked) && (
              <Menu items={more}>
                <Button size="s">
                  {t('ask.allowMore')}
                  <ChevronDown size={12} aria-hidden />
                </Button>
              </Menu>
            )}
            <span className="approval-gap" />
            <Button size="s" look="quiet" onClick={() => refuse(asked.id, '')}>
              {t('ask.denyReason')}
            </Button>
            <Button size="s" look="danger" onClick={() => deny(asked)}>
              {t('ask.deny')}
              {keys('Alt-n')}
            </Button>
          </footer>
        )}
      </Answers>
    </article>
  );
}

function Arguments(props: { asked: ApprovalAsked; face: CardFace; isAnswered: boolean }) {
  const { asked, face, isAnswered } = props;
  const draft = useDrafts(({ texts }) => texts.get(asked.id)) ?? '';
  const write = useDrafts((drafts) => drafts.write);
  const printed = printArguments(asked.arguments);
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
          onChange={(event) => write(asked.id, event.target.value)}
        />
        <Button size="s" look="quiet" disabled={isAnswered} onClick={toCard(() => write(asked.id, null))}>
          {t('ask.asAsked')}
        </Button>
      </div>
    );
  }
  const empty = Object.keys(asked.arguments).length === 0;
  return (
    <div className={empty ? 'approval-arguments approval-empty' : 'approval-arguments'}>
      {empty ? <p>{t('ask.noArguments')}</p> : <pre>{printed}</pre>}
      {asksForLeave(asked) && (
        <Button size="s" look="quiet" disabled={isAnswered} onClick={() => write(asked.id, printed)}>
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
