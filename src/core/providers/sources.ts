import { isObject } from './format';
import type { ModelEvent } from './provider';

/** The page that a citation in any vendor's form names: `{url, title}`, perhaps one level further in. */
export function sourceIn(citation: unknown): readonly ModelEvent[] {
  if (!isObject(citation)) return [];
  const inner = [citation.url_citation, citation.web].find(isObject) ?? citation;
  const url = inner.url ?? inner.uri;
  if (typeof url !== 'string' || !/^https?:\/\//.test(url)) return [];
  return [{ kind: 'source', url, title: typeof inner.title === 'string' ? inner.title : url }];
}
