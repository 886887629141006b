import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { boundedYaml, frontMatterMost } from './bounded-yaml';

test.each(['[[a]]', '[[a]]\n', '}x\n', ']: [a]\n'])(
  'of “%s” again and again the first error is told, and not one for each',
  (part) => {
    const source = part.repeat(1_000);
    const found = boundedYaml(source, frontMatterMost).errors;
    const [first] = parseDocument(source, { prettyErrors: false }).errors.sort((a, b) => a.pos[0] - b.pos[0]);
    expect(found[0]).toMatchObject({ message: first?.message, pos: first?.pos });
    expect(found.length).toBeLessThan(10);
  },
);
