import type { EntityBrief } from '../../../contract/projects';

/** A card as it was when a person took it. */
export type HeldCard = Pick<EntityBrief, 'id' | 'status' | 'revision'>;

const kind = 'application/x-entity';

export const isHeldIn = ({ types }: DataTransfer): boolean => types.includes(kind);

/** Goes with the drag: the card itself may be drawn anew, or elsewhere, until it is dropped. */
export function putHeld(data: DataTransfer, { id, status, revision }: HeldCard): void {
  data.setData(kind, JSON.stringify({ id, status, revision }));
}

export function heldIn(data: DataTransfer): HeldCard | null {
  const text = data.getData(kind);
  return text === '' ? null : (JSON.parse(text) as HeldCard);
}
