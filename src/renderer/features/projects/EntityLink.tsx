import type { EntityType } from '../../../contract/projects';
import { classes } from '../../ui';
import { Status, TypeIcon } from './Marks';

export interface EntityLinkProps {
  entity: {
    readonly id: string;
    readonly title: string;
    readonly status?: string;
    readonly type?: EntityType;
  };
  /** Further words at the end of the line. */
  note?: string;
  onOpen(id: string): void;
}

/** One line: id, title, and what else there is to say; a click shows the details. */
export function EntityLink({ entity, note, onOpen }: EntityLinkProps) {
  const { id, title, status, type } = entity;
  return (
    <button
      type="button"
      className={classes('entity-link', !type && 'entity-link-plain')}
      onClick={() => onOpen(id)}
    >
      {type && <TypeIcon type={type} />}
      <span className="entity-id">{id}</span>
      <span className="entity-title">{title}</span>
      {note && <small>{note}</small>}
      {status && <Status status={status} />}
    </button>
  );
}
