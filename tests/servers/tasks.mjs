import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { endWithInput, send, serve, text, tool } from './speak.mjs';

/**
 * A server whose calls are tasks that it keeps on the disk: it may be ended and started again in the middle of one.
 * Arguments: the file of its tasks, a file that tells what it was asked, and the era that it speaks.
 */
const [, , kept, record, era = 'legacy'] = process.argv;
const isModern = era === 'modern';
const pollMs = Number(process.env.POLL ?? 50);
const read = () => (existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {});
const note = (line) => appendFileSync(record, `${line}\n`);
const answers = new Map();
note(`pid ${process.pid}`);

function change(id, changes) {
  const tasks = read();
  tasks[id] = { ...tasks[id], ...changes };
  writeFileSync(kept, JSON.stringify(tasks));
}

function statusOf(task) {
  if (task.cancelled) return 'cancelled';
  if (task.ask && task.answer === undefined) return 'input_required';
  if (Date.now() < task.endsAt) return 'working';
  return task.fail ? 'failed' : 'completed';
}

const resultOf = (task) => text(`dug ${task.what}${task.answer ? ` for ${task.answer}` : ''}`);
const question = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'For whom?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  },
};

function shown(id) {
  const task = read()[id];
  const status = statusOf(task);
  return {
    taskId: id,
    status,
    statusMessage: status === 'failed' ? 'The spade broke.' : `${status}: ${task.what}`,
    createdAt: new Date(task.createdAt).toISOString(),
    lastUpdatedAt: new Date().toISOString(),
    ...(isModern ? { ttlMs: 600_000, pollIntervalMs: pollMs } : { ttl: 600_000, pollInterval: pollMs }),
    ...(isModern && status === 'completed' && { result: { resultType: 'complete', ...resultOf(task) } }),
    ...(isModern && status === 'failed' && { error: { code: -32603, message: 'The spade broke.' } }),
    ...(isModern && status === 'input_required' && { inputRequests: { whom: question } }),
  };
}

const complete = (result) => (isModern ? { resultType: 'complete', ...result } : result);
const refuse = (id, message) => send({ id, error: { code: -32602, message } });
function known(taskId, id) {
  const isKnown = taskId in read();
  if (!isKnown) refuse(id, 'Failed to retrieve task: Task not found');
  return isKnown;
}

async function ended(taskId) {
  if (read()[taskId].ask && read()[taskId].answer === undefined) {
    send({ id: `ask-${taskId}`, ...question });
    const { result } = await new Promise((resolve) => answers.set(`ask-${taskId}`, resolve));
    note(`answer ${result?.action}`);
    change(taskId, { answer: result?.content?.name ?? '-' });
  }
  while (!['completed', 'failed', 'cancelled'].includes(statusOf(read()[taskId])))
    await new Promise((resolve) => setTimeout(resolve, 20));
}

const inputSchema = {
  type: 'object',
  properties: { what: { type: 'string' }, ms: { type: 'number' }, ask: { type: 'boolean' } },
};
serve(
  {
    ...(isModern && {
      'server/discover': () => ({
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
        serverInfo: { name: 'tasks', version: '1' },
        ttlMs: 0,
        cacheScope: 'private',
      }),
    }),
    'tools/list': () =>
      complete({
        tools: [tool('dig', { inputSchema, ...(!isModern && { execution: { taskSupport: 'optional' } }) })],
        ...(isModern && { ttlMs: 600_000, cacheScope: 'private' }),
      }),
    'tools/call': async ({ arguments: args, task, _meta }) => {
      const { what = 'a hole', ms = 0, ask = false, fail = false } = args;
      const id = `task-${Object.keys(read()).length + 1}`;
      note(`run ${what}`);
      const { progressToken } = _meta ?? {};
      if (progressToken !== undefined)
        setTimeout(() => {
          const params = { progressToken, progress: 3, total: 4, message: 'Nearly there.' };
          send({ method: 'notifications/progress', params });
        }, ms / 2);
      change(id, { what, ask, fail, createdAt: Date.now(), endsAt: Date.now() + ms });
      if (isModern) {
        const may = _meta['io.modelcontextprotocol/clientCapabilities'].extensions;
        return 'io.modelcontextprotocol/tasks' in may
          ? { resultType: 'task', ...shown(id) }
          : complete(resultOf(read()[id]));
      }
      return task ? { task: shown(id) } : resultOf(read()[id]);
    },
    'tasks/get': ({ taskId }, id) => {
      note('get');
      return known(taskId, id) ? complete(shown(taskId)) : undefined;
    },
    'tasks/result': async ({ taskId }, id) => {
      note('result');
      if (!known(taskId, id)) return undefined;
      await ended(taskId);
      const task = read()[taskId];
      const status = statusOf(task);
      if (status === 'completed') return resultOf(task);
      send({ id, error: { code: -32603, message: status === 'failed' ? 'The spade broke.' : 'Cancelled.' } });
      return undefined;
    },
    'tasks/update': ({ taskId, inputResponses }) => {
      note(`update ${Object.keys(inputResponses)}`);
      change(taskId, { answer: inputResponses.whom?.content?.name ?? '-' });
      return complete({});
    },
    'tasks/cancel': ({ taskId }) => {
      note('cancel');
      change(taskId, { cancelled: true });
      return isModern ? complete({}) : shown(taskId);
    },
    '(response)': (message) => answers.get(message.id)?.(message),
  },
  {
    capabilities: {
      tools: {},
      tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
    },
  },
);
endWithInput();
