import type { ProjectOverview } from '../../../contract/projects';
import { t } from '../../base/text/text';
import { classes } from '../../ui';
import { Status, TypeIcon } from './Marks';
import { shortDate } from './words';

type Milestone = ProjectOverview['milestones'][number];

/** The open ones by their date, then those that are done. */
function inOrder(milestones: readonly Milestone[]): readonly Milestone[] {
  const key = ({ open, targetDate, id }: Milestone) => `${open ? 0 : 1} ${targetDate ?? '9999'} ${id}`;
  return milestones.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

export function Milestones({
  milestones,
  onOpen,
}: {
  milestones: readonly Milestone[];
  onOpen(id: string): void;
}) {
  return (
    <section className="ui-section">
      <h2>{t('overview.milestones')}</h2>
      {milestones.length === 0 && <p className="project-quiet">{t('overview.noMilestones')}</p>}
      <ul className="milestones">
        {inOrder(milestones).map((milestone) => {
          const { id, title, status, done, total, targetDate, overdue } = milestone;
          const share = total > 0 ? done / total : Number(!milestone.open);
          return (
            <li key={id}>
              <button type="button" className="milestone" onClick={() => onOpen(id)}>
                <span className="milestone-name">
                  <TypeIcon type="milestone" />
                  <span className="entity-id">{id}</span>
                  <span className="entity-title">{title}</span>
                </span>
                <Status status={status} />
                <span className={classes('milestone-date', overdue && 'milestone-overdue')}>
                  {targetDate && t('overview.due', { date: shortDate(targetDate) })}
                </span>
                <span className="milestone-progress" aria-hidden>
                  <span style={{ width: `${share * 100}%` }} />
                </span>
                <small>{total > 0 ? t('overview.progress', { done, total }) : t('overview.noParts')}</small>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
