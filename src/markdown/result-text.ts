import type { ResultPart } from '../contract/tools';

/** A part of a result as text, for a terminal or to be copied. Of a picture or a sound its type and its size. */
export function resultText(part: ResultPart): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'json':
    case 'unknown':
      return JSON.stringify(part.value, null, 2);
    case 'resource':
      return `${part.uri}\n${part.text}`;
    case 'link':
      return `${part.name} ${part.uri}`.trim();
    case 'image':
    case 'audio':
      return `(${part.mediaType}, ${Math.round((part.base64.length * 3) / 4)} bytes)`;
  }
}
