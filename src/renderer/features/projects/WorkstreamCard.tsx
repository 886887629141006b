import { ArrowRight } from 'lucide-react';
import type { Workstream } from '../../../contract/projects';
import { EntityType } from '../../../contract/projects';
import { labelled } from '../../base/text/format';
import { t } from '../../base/text/text';
import { Badge, IconButton } from '../../ui';
import { CountsBar } from './CountsBar';
import { StepLine } from './Steps';
import { typesWord } from './words';

const tones = { healthy: 'good', at_risk: 'warn', blocked: 'bad' } as const;
const reasons = {
  critical_path: 'overview.criticalPathBlocked',
  overdue: 'overview.pastDate',
  many_stuck: 'overview.manyStuck',
} as const;

export interface WorkstreamCardProps {
  workstream: Workstream;
  onOpen(id: string): void;
  onChoose(): void;
}

export function WorkstreamCard({ workstream, onOpen, onChoose }: WorkstreamCardProps) {
  const { name, health, trouble, because, becauseCount, counts, overdue, steps } = workstream;
  const title = name ?? t('overview.noWorkstream');
  const more = becauseCount - Math.min(2, because.length);
  return (
    <article className="workstream" aria-label={title}>
      <header>
        <h3>{title}</h3>
        {overdue > 0 && (
          <span className="workstream-overdue">{t('overview.overdue', { count: overdue })}</span>
        )}
        <Badge tone={tones[health]}>{t(`overview.${health}`)}</Badge>
        {name !== null && (
          <IconButton
            icon={ArrowRight}
            size="s"
            label={labelled(t('projects.board'), title)}
            onClick={onChoose}
          />
        )}
      </header>
      <p className="workstream-reason">
        {trouble === null ? t('overview.onTrack') : t(reasons[trouble])}{' '}
        {because.slice(0, 2).map((entity, at) => (
          <span key={entity.id}>
            {at > 0 && ', '}
            <button
              type="button"
              className="text-link"
              onClick={() => onOpen(entity.id)}
              title={entity.title}
            >
              {entity.id}
            </button>
          </span>
        ))}
        {trouble !== null && more > 0 && ` ${t('overview.moreOf', { count: more })}`}
      </p>
      <dl className="workstream-counts">
        {EntityType.options.map((type) => {
          const own = counts[type];
          if (!own) return null;
          return (
            <div key={type}>
              <dt>{typesWord(type)}</dt>
              <dd>
                <CountsBar counts={own} label={typesWord(type)} />
                <span>{Object.values(own).reduce((sum, count) => sum + count, 0)}</span>
              </dd>
            </div>
          );
        })}
      </dl>
      {steps.length > 0 && (
        <ul className="workstream-steps">
          {steps.slice(0, 2).map((step) => (
            <li key={`${step.why.kind} ${step.id}`}>
              <StepLine step={step} onOpen={onOpen} />
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}
