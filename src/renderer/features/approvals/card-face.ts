/** How the card of a call stands: as it came, with its arguments being edited, while a reason against it is given, or both. */
export type CardFace = 'plain' | 'edited' | 'refusing' | 'edited and refusing';

export function cardFace(isEdited: boolean, isRefusing: boolean): CardFace {
  if (isRefusing) return isEdited ? 'edited and refusing' : 'refusing';
  return isEdited ? 'edited' : 'plain';
}
