import { endWithInput, send, serve, text, tool } from './speak.mjs';

/** Asks for the folders that it may know of, and counts what it hears of changes. Argument: the era that it speaks. */
const isModern = process.argv[2] === 'modern';
const complete = (result) => (isModern ? { resultType: 'complete', ...result } : result);
const listed = isModern && { ttlMs: 60_000, cacheScope: 'private' };
let answer;
let asked = 0;
let heard = 0;
let taken = 0;
let wake = () => undefined;

/** The newer era puts its questions into the answer, and is called again with what they brought. */
const tools = {
  roots: async ({ inputResponses }) => {
    if (isModern && !inputResponses)
      return { resultType: 'input_required', inputRequests: { where: { method: 'roots/list' } } };
    if (isModern) return complete(text(JSON.stringify(inputResponses.where)));
    const answered = new Promise((resolve) => {
      answer = resolve;
    });
    send({ id: `roots-${++asked}`, method: 'roots/list' });
    const { result } = await answered;
    return text(result ? JSON.stringify(result) : 'refused');
  },
  /** Answers with the next change that was not told of yet. */
  change: async () => {
    while (heard === taken)
      await new Promise((resolve) => {
        wake = resolve;
      });
    return complete(text(++taken));
  },
  heard: () => complete(text(heard)),
};

serve({
  ...(isModern && {
    'server/discover': () =>
      complete({
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
        serverInfo: { name: 'asks-roots', version: '1' },
        ...listed,
      }),
  }),
  'tools/list': () => complete({ tools: Object.keys(tools).map((name) => tool(name)), ...listed }),
  'tools/call': (params) => tools[params.name](params),
  'notifications/roots/list_changed': () => {
    heard++;
    wake();
  },
  '(response)': (message) => answer?.(message),
});
endWithInput();
