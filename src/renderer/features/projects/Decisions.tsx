import { ArrowRight, Scale } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import type { Decision, ProjectScope } from '../../../contract/projects';
import { t } from '../../base/text/text';
import { classes, EmptyState, ScrollArea, SearchField, Segments, Spinner } from '../../ui';
import { Failed } from './Failed';
import { StatusBadge } from './Marks';
import { useChoice, useProject } from './use-project';
import { shortDate, statusWord } from './words';
import './board.css';

const statuses = ['pending', 'decided', 'superseded'] as const;

export function Decisions({ scope }: { scope: ProjectScope }) {
  const [topic, setTopic] = useState('');
  const [status, setStatus] = useState<(typeof statuses)[number] | 'all'>('all');
  const { data, error, refetch } = useProject('projects.decisions', {
    ...scope,
    topic: useDeferredValue(topic),
  });
  const { shownId, set } = useChoice();
  const decisions = (data ?? []).filter((each) => status === 'all' || each.status === status);
  return (
    <div className="decisions">
      <div className="board-bar">
        <Segments
          aria-label={t('decisions.status')}
          value={status}
          options={[
            { value: 'all', label: t('board.all') },
            ...statuses.map((value) => ({ value, label: statusWord(value) })),
          ]}
          onChange={setStatus}
        />
        <SearchField
          label={t('decisions.filter')}
          value={topic}
          onChange={(event) => setTopic(event.target.value)}
        />
      </div>
      {error && !data && <Failed error={error} again={refetch} />}
      {!data && !error && <Spinner size={20} />}
      {data && decisions.length === 0 && (
        <EmptyState icon={Scale} title={t('decisions.none')} text={t('decisions.noneText')} />
      )}
      {decisions.length > 0 && (
        <ScrollArea aria-label={t('projects.decisions')}>
          <ul className="decision-list">
            {decisions.map((decision) => (
              <li key={decision.id}>
                <DecisionCard
                  decision={decision}
                  isShown={decision.id === shownId}
                  onOpen={(id) => set({ shownId: id })}
                />
              </li>
            ))}
          </ul>
        </ScrollArea>
      )}
    </div>
  );
}

function DecisionCard(props: { decision: Decision; isShown: boolean; onOpen(id: string): void }) {
  const { decision, isShown, onOpen } = props;
  const { id, title, status, chain, decidedOn, decidedBy, workstream } = decision;
  const facts = [decidedOn && shortDate(decidedOn), decidedBy, workstream].filter(Boolean);
  return (
    <article
      className={classes('decision', isShown && 'card-shown', status === 'superseded' && 'decision-old')}
    >
      <button type="button" className="decision-head" onClick={() => onOpen(id)}>
        <span className="entity-id">{id}</span>
        <span className="entity-title">{title}</span>
        <StatusBadge status={status} />
      </button>
      {decision.decision && <p>{decision.decision}</p>}
      {decision.rationale && <p className="decision-why">{decision.rationale}</p>}
      <footer>
        {facts.length > 0 && <span>{facts.join(' · ')}</span>}
        {chain.length > 1 && (
          <span className="decision-chain">
            <span className="visually-hidden">{t('decisions.chain')}: </span>
            {chain.map((each, at) => (
              <span key={each}>
                {at > 0 && <ArrowRight size={11} strokeWidth={2} aria-hidden />}
                {each === id ? (
                  <strong>{each}</strong>
                ) : (
                  <button type="button" className="text-link" onClick={() => onOpen(each)}>
                    {each}
                  </button>
                )}
              </span>
            ))}
          </span>
        )}
      </footer>
    </article>
  );
}
