// Says everything that stands in its lists at length. Arguments: bytes of the first text (all others of a list have a tenth of it together), and what each text ends with.
import { createInterface } from 'node:readline';
import { text } from './speak.mjs';

const [size, end = ''] = process.argv.slice(2);
/** In turn: whatever takes long to count, to show and to read. As JSON they have these lengths. */
const forms = [
  { words: '# x\n', bytes: 5 },
  { words: '\u200b', bytes: 3 },
  { words: '\x1b[1m', bytes: 9 },
  { words: 'x\n', bytes: 3 },
  { words: 'x', bytes: 1 },
];
let turn = 0;
function long(share) {
  const { words, bytes } = forms[turn++ % forms.length];
  return words.repeat(Number(size) / 10 / share / bytes) + end;
}
const each = (item, fields) =>
  fields.map((field, n) => {
    const words = long(fields.length);
    return { ...item(n), ...(typeof field === 'string' ? { [field]: words } : field(words)) };
  });
const named = (n) => ({ name: `t${n}`, inputSchema: { type: 'object' } });
const word = (schema) => ({ type: 'object', properties: { word: { type: 'string', ...schema } } });

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, prompts: {}, resources: {} },
    serverInfo: { name: long(4), title: long(4), version: long(4) },
    instructions: long(4),
  }),
  'tools/list': () => ({
    tools: [
      { name: 'look', description: '# x\n'.repeat(Number(size) / 5) + end, inputSchema: { type: 'object' } },
      ...each(
        named,
        [
          'title',
          'name',
          (annotated) => ({ annotations: { title: annotated } }),
          (schema) => ({ inputSchema: word({ description: schema }) }),
          (schema) => ({ outputSchema: word({ title: schema }) }),
          (src) => ({ icons: [{ src: `data:image/png;base64,${src}` }] }),
        ].map((field) => field),
      ),
    ],
  }),
  'prompts/list': () => ({
    prompts: each(
      (n) => ({ name: `p${n}` }),
      [
        'title',
        'name',
        'description',
        (said) => ({ arguments: [{ name: 'a', title: said }] }),
        (said) => ({ arguments: [{ name: 'a', description: said }] }),
        (said) => ({ arguments: [{ name: said }] }),
      ],
    ),
  }),
  'resources/list': () => ({
    resources: each(
      (n) => ({ uri: `x://${n}`, name: 'n' }),
      ['title', 'name', 'uri', 'description', 'mimeType'],
    ),
  }),
  'resources/templates/list': () => ({
    resourceTemplates: each(
      (n) => ({ uriTemplate: `x://{${n}}`, name: 'n' }),
      ['title', 'name', 'uriTemplate', 'description', 'mimeType'],
    ),
  }),
  'tools/call': () => text('done'),
  ping: () => ({}),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined)
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.(params) ?? {} })}\n`,
    );
});
process.stdin.on('end', () => process.exit(0));
