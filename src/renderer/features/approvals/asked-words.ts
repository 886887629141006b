import type { ApprovalAsked, ToolAnnotations } from '../../../contract/tools';
import { escapeHidden } from '../../../markdown';
import { ago } from '../../base/text/format';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';

/** Whether the call itself is in question. Else it is allowed as it stands: nothing of it can be edited or remembered. */
export const asksForLeave = ({ why }: ApprovalAsked): boolean =>
  why.kind === 'policy' || why.kind === 'changed';

/** The tool says of itself what it said, but another program stands behind it. */
export const isElsewhere = (why: Extract<ApprovalAsked['why'], { kind: 'changed' }>): boolean =>
  withoutOrigin(why.before) === withoutOrigin(why.after);

/** A line of its own in the definition that is shown; what a server says has no raw line breaks there. */
const withoutOrigin = (definition: string) => definition.replace(/,\n {2}"origin": "[^"]*"(?=\n\})/, '');

/** Why the person is asked, where it is more than the setting "ask". */
export function whyWords(approval: ApprovalAsked): { title: string; detail: string | null } {
  const tool = visible(approval.title || approval.tool);
  switch (approval.why.kind) {
    case 'policy':
      return {
        title: t(approval.by === 'app' ? 'ask.runByView' : 'ask.run', { tool }),
        detail: approval.why.formerly ? t('ask.formerly') : null,
      };
    case 'changed':
      if (isElsewhere(approval.why))
        return { title: t('ask.elsewhere', { tool }), detail: t('ask.elsewhereText') };
      return { title: t('ask.changed', { tool }), detail: t('ask.changedText') };
    case 'call-limit':
      return { title: t('ask.limit', { tool }), detail: t('ask.limitText', { count: approval.why.calls }) };
    case 'flow':
      return { title: t('ask.flow', { tool }), detail: t('ask.flowText') };
    case 'obeyed-file':
      return {
        title: t('ask.obeyed', { tool, name: visible(approval.why.name) }),
        detail: t('ask.obeyedText'),
      };
    case 'cached':
      return {
        title: t('ask.again', { tool }),
        detail: t('ask.againText', { time: ago(0, approval.why.ageMs) }),
      };
  }
}

/** What a server says of its tool; nobody has checked it. */
export function claims(annotations: ToolAnnotations): { text: string; careful: boolean }[] {
  const entries: { text: string; careful: boolean }[] = [];
  if (annotations.readOnly) entries.push({ text: t('claim.readOnly'), careful: false });
  else if (annotations.destructive) entries.push({ text: t('claim.destructive'), careful: true });
  else if (annotations.destructive === false) entries.push({ text: t('claim.additive'), careful: false });
  if (annotations.idempotent) entries.push({ text: t('claim.idempotent'), careful: false });
  if (annotations.openWorld) entries.push({ text: t('claim.openWorld'), careful: true });
  return entries.length > 0 ? entries : [{ text: t('claim.nothing'), careful: true }];
}

/** Everything that would be sent, as JSON; characters that show nothing or turn the direction stand as escapes. */
export function printArguments(args: ApprovalAsked['arguments']): string {
  return escapeHidden(JSON.stringify(args, null, 2), (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
