import type { ApprovalAsked, ToolAnnotations } from '../../../contract/tools';

/** Why the person is asked, where it is more than the setting "ask". */
export function whyWords(asked: ApprovalAsked): { title: string; detail: string | null } {
  const tool = asked.title || asked.tool;
  switch (asked.why.kind) {
    case 'policy':
      return { title: `Run ${tool}?`, detail: null };
    case 'changed':
      return {
        title: `${tool} is not what you allowed`,
        detail:
          'Its definition has changed since you said “always”. Read the difference before you allow it.',
      };
    case 'call-limit':
      return {
        title: `Go on with ${tool}?`,
        detail: `This note has made ${asked.why.calls} calls, as many as your limit allows. Allowing starts a new count.`,
      };
    case 'cached':
      return {
        title: `Run ${tool} again?`,
        detail: `The same call was answered ${ageWords(asked.why.ageMs)} ago in this note.`,
      };
  }
}

function ageWords(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 60) return minutes === 1 ? 'a minute' : `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours === 1 ? 'an hour' : `${hours} hours`;
}

/** What a server says of its tool; nobody has checked it. */
export function claims(annotations: ToolAnnotations): { text: string; careful: boolean }[] {
  const said: { text: string; careful: boolean }[] = [];
  if (annotations.readOnly) said.push({ text: 'claims to be read-only', careful: false });
  else if (annotations.destructive) said.push({ text: 'says it may delete or overwrite', careful: true });
  else if (annotations.destructive === false) said.push({ text: 'claims only to add', careful: false });
  if (annotations.idempotent) said.push({ text: 'claims that repeating is harmless', careful: false });
  if (annotations.openWorld) said.push({ text: 'reaches out to other systems', careful: true });
  return said.length > 0 ? said : [{ text: 'claims nothing about what it does', careful: true }];
}
