import { Suspense } from 'react';
import type { MarkdownProps } from './MarkdownBody';
import { preloaded } from './preloaded';

const MarkdownBody = preloaded(() => import('./MarkdownBody').then((file) => file.MarkdownBody));

/** Somebody else's markdown; the text as it is until what draws it has been loaded. */
export function Markdown(props: MarkdownProps) {
  return (
    <Suspense fallback={<div className="ui-markdown">{props.text}</div>}>
      <MarkdownBody {...props} />
    </Suspense>
  );
}
