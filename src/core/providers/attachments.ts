import type { Attachment } from './provider';

export type AttachmentKind = 'image' | 'pdf' | 'text' | 'other';

export function kindOf(attachment: Attachment): AttachmentKind {
  const type = attachment.mediaType.toLowerCase();
  if (type.startsWith('image/')) return 'image';
  if (type === 'application/pdf') return 'pdf';
  if (type.startsWith('text/') || /[/+](json|xml|yaml)$/.test(type)) return 'text';
  return 'other';
}

export function dataUrl(attachment: Attachment): string {
  return `data:${attachment.mediaType};base64,${attachment.base64}`;
}

/** The text that stands for an attachment: its content if that is text, else a line that says it was left out. */
export function asText(attachment: Attachment): string {
  return kindOf(attachment) === 'text'
    ? `[${attachment.name}]\n${Buffer.from(attachment.base64, 'base64').toString('utf8')}`
    : `[${attachment.name} (${attachment.mediaType}) was left out: this model does not take it.]`;
}

/** A tool's failure must be told from its success where a format has no field for it. */
export function resultText(result: { text: string; isError: boolean }): string {
  return result.isError && !/^\s*error/i.test(result.text) ? `Error: ${result.text}` : result.text;
}
