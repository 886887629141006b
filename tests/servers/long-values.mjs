// Says what is kept or comes back to it in 100,000 characters, each time another. Argument: what.
import { endWithInput, send, serve, text, tool } from './speak.mjs';

const [what] = process.argv.slice(2);
let number = 0;
const long = () => `${++number}${'x'.repeat(100_000)}`;
const about = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const isModern = ['requestState', 'modern taskId'].includes(what);
const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} };

const results = {
  requestState: () => ({ ...about, resultType: 'input_required', requestState: long(), inputRequests: {} }),
  taskId: () => ({ task: { taskId: long(), status: 'working' } }),
  'modern taskId': () => ({ ...about, resultType: 'task', taskId: long(), status: 'working' }),
  id: () => {
    send({ id: long(), method: 'ping' });
    return text('fine');
  },
  progressToken: () => {
    send({ method: 'notifications/progress', params: { progressToken: long(), progress: 1 } });
    return text('fine');
  },
};
const page = (name) => () => ({ [name]: [], nextCursor: long() });

serve(
  {
    ...(isModern && {
      'server/discover': () => ({
        ...about,
        ...{ supportedVersions: ['2026-07-28'], capabilities, serverInfo: { name: 'long', version: '1' } },
      }),
    }),
    'tools/list': () =>
      what === 'tools' ? page('tools')() : { tools: [tool('go')], ...(isModern && about) },
    'resources/list': page('resources'),
    'resources/templates/list': page('resourceTemplates'),
    'prompts/list': page('prompts'),
    'tools/call': () => results[what](),
  },
  { capabilities },
);
endWithInput();
