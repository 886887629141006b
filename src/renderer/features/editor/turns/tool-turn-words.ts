import type { ToolTurn } from '../../../../markdown';
import { t } from '../../../base/text/text';
import { visible } from '../../../base/text/visible';

/** Who wrote a turn that stands in the person’s name. */
export const toolTurnWords = ({ tools, isWhole }: Pick<ToolTurn, 'tools' | 'isWhole'>): string =>
  t(isWhole ? 'note.toolTurn' : 'note.toolTurn.part', {
    count: tools.length,
    tools: tools.map(({ server, tool }) => visible(`${server} · ${tool}`)).join(', '),
  });
