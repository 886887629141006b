import { lazy, Suspense } from 'react';
import type { MarkdownProps } from './MarkdownBody';

const MarkdownBody = lazy(() => import('./MarkdownBody').then((file) => ({ default: file.MarkdownBody })));

/** Somebody else's markdown; the text as it is until what draws it has been loaded. */
export function Markdown(props: MarkdownProps) {
  return (
    <Suspense fallback={<div className="ui-markdown">{props.text}</div>}>
      <MarkdownBody {...props} />
    </Suspense>
  );
}
