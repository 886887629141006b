import type { ProjectOverview, ProjectScope } from '../../../contract/projects';
import { EntityType } from '../../../contract/projects';
import { t } from '../../base/text/text';
import { ScrollArea, Spinner } from '../../ui';
import { CountsBar } from './CountsBar';
import { Failed } from './Failed';
import { Findings } from './Findings';
import { TypeIcon } from './Marks';
import { Milestones } from './Milestones';
import { Steps } from './Steps';
import { useChoice, useProject } from './use-project';
import { WorkstreamCard } from './WorkstreamCard';
import { typesWord } from './words';
import './overview.css';

export function Overview({ scope }: { scope: ProjectScope }) {
  const { data, error, refetch } = useProject('projects.overview', scope);
  const set = useChoice((choice) => choice.set);
  const open = (id: string) => set({ shownId: id });
  if (error && !data) return <Failed error={error} again={refetch} />;
  if (!data) return <Spinner size={20} />;
  return (
    <ScrollArea className="overview" aria-label={t('projects.overview')}>
      <Totals overview={data} onType={(type) => set({ page: 'board', types: type })} />
      <div className="overview-columns">
        <div className="overview-main">
          <section className="ui-section">
            <h2>{t('overview.workstreams')}</h2>
            <div className="workstreams">
              {data.workstreams.map((workstream) => (
                <WorkstreamCard
                  key={workstream.name ?? ''}
                  workstream={workstream}
                  onOpen={open}
                  onChoose={() => set({ workstream: workstream.name, page: 'board' })}
                />
              ))}
            </div>
          </section>
          <Milestones milestones={data.milestones} onOpen={open} />
        </div>
        <div className="overview-side">
          <Steps steps={data.steps} onOpen={open} />
          <Findings overview={data} onOpen={open} />
        </div>
      </div>
    </ScrollArea>
  );
}

const onBoard = new Set<EntityType>(['milestone', 'story', 'task']);

function Totals({ overview, onType }: { overview: ProjectOverview; onType(type: EntityType): void }) {
  return (
    <ul className="totals">
      {EntityType.options.map((type) => {
        const counts = overview.counts[type] ?? {};
        const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
        const inside = (
          <>
            <span className="totals-name">
              <TypeIcon type={type} />
              <span>{typesWord(type)}</span>
              <strong>{total}</strong>
            </span>
            <CountsBar counts={counts} label={typesWord(type)} />
          </>
        );
        return (
          <li key={type}>
            {onBoard.has(type) && total > 0 ? (
              <button type="button" className="totals-tile" onClick={() => onType(type)}>
                {inside}
              </button>
            ) : (
              <div className="totals-tile">{inside}</div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
