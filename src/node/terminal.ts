import { escaped } from './cli/what-waits';

/** Writes to a terminal only what it shows and does not obey; to a file or another program every byte as it is. */
export function outTo(stream: { readonly isTTY?: boolean; write(text: string): unknown }) {
  return (text: string): void => void stream.write(stream.isTTY ? visible(text) : text);
}

/** Lines and tabs stay; of a stream each piece by itself, wherever a sequence is cut. */
const visible = (text: string) =>
  text
    .split(/(\t|\r?\n)/)
    .map((part, at) => (at % 2 === 0 ? escaped(part) : part))
    .join('');
