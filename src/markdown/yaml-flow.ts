import { stringify } from 'yaml';

/** A value in one line, as a person would write it into front matter: `[S-001, M-001]`. */
export function yamlFlow(value: unknown): string {
  const text = stringify(value, { collectionStyle: 'flow', flowCollectionPadding: false, lineWidth: 0 });
  return text.trimEnd().replace(/(?<!\s)\s*\n\s*/g, ' ');
}
