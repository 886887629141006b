import { expect, test } from 'vitest';
import { vaultForEach } from '../vault-server/vault-for-each';

const { call, make } = vaultForEach();

test('counts name every status, none of them too', async () => {
  await make('task', { title: 'One', workstream: 'beds', status: 'blocked' });
  await make('story', { title: 'All', workstream: 'beds' });
  const { summary, workstreams } = await call('get_project_overview');
  const tasks = { not_started: 0, in_progress: 0, blocked: 1, completed: 0 };
  expect(summary.tasks).toEqual({ total: 1, ...tasks });
  expect(workstreams).toMatchObject([
    { name: 'beds', tasks, stories: { not_started: 1, in_progress: 0, blocked: 0, completed: 0 } },
  ]);
});

test('active is what is blocked, then what is worked on, the most urgent first; nothing that is over or archived', async () => {
  const all = [
    ['task', 'Slow', 'in_progress', 'low'],
    ['task', 'Fast', 'in_progress', 'critical'],
    ['story', 'Stuck', 'blocked', 'low'],
    ['task', 'Stuck fast', 'blocked', 'high'],
    ['task', 'Later', 'not_started', 'critical'],
    ['task', 'Over', 'completed', 'critical'],
    ['milestone', 'Goal', 'in_progress', 'critical'],
  ];
  for (const [type = '', title, status, priority] of all)
    await make(type, { title, status, priority, workstream: 'beds' });
  const gone = await make('task', { title: 'Gone', status: 'blocked', workstream: 'beds' });
  await call('update_entity', { id: gone, data: { archived: true } });
  const { workstreams } = await call('get_project_overview');
  const { active, milestones, more_active } = workstreams[0];
  expect(active.map(({ title }: { title: string }) => title)).toEqual([
    'Stuck fast',
    'Stuck',
    'Fast',
    'Slow',
  ]);
  expect(active[0]).toEqual({
    id: expect.any(String),
    title: 'Stuck fast',
    status: 'blocked',
    revision: expect.any(String),
  });
  expect(milestones).toMatchObject([{ title: 'Goal' }]);
  expect(more_active).toBeUndefined();
});
