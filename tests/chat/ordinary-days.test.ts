import { expect, test } from 'vitest';
import { flowHouse, flowTools, obeying, type Round } from './support/flow-world';

const conversation = (asked: string, ...rounds: readonly Round[]): Conversation => ({ asked, rounds });
interface Conversation {
  /** What the person writes; `[[…]]` goes along. */
  readonly asked: string;
  readonly rounds: readonly Round[];
}

const one = (name: string, args: Record<string, unknown> = {}): Round => [[name, args]];
const search = (query: string) => one('brave__brave_web_search', { query });
const get = (...hosts: string[]): Round =>
  hosts.map((host) => ['fetch__fetch', { url: `https://${host}/article` }] as const);
const read = (...paths: string[]) => one('vault__read_docs', { paths });
const find = (query: string) => one('vault__search_entities', { query });
const write = (path: string) => one('vault__update_doc', { path, append: 'More.' });
const task = (id: string) => one('vault__update_entity', { id, status: 'done' });
const code = (tool: string, path = 'src/app.ts') => one(`code__${tool}`, { path });
const git = (tool: string) => one(`git__${tool}`, {});
const think = one('thinking__sequentialthinking', { thought: 'Next.' });
const today = one('clock__get_current_time', { timezone: 'UTC' });
const remember = one('memory__add_observations', { observations: [] });
const recall = one('memory__search_nodes', { query: 'Ada' });
const meetings = one('calendar__list_events', { day: 'today' });

/** What twenty days of work with models come to: which notes go along, and which tools are called, in which order. */
const days: Readonly<Record<string, readonly Conversation[]>> = {
  'reading up on a subject': [
    conversation(
      'What is known of tulip fire?',
      search('tulip fire'),
      get('a.example', 'b.example'),
      get('c.example'),
      search('botrytis'),
      get('d.example', 'e.example'),
      think,
    ),
    conversation(
      'Write it into a note.',
      search('tulip fire cure'),
      get('f.example'),
      write('Tulip fire.md'),
      read('Tulip fire.md'),
      write('Tulip fire.md'),
    ),
  ],
  'comparing products': [
    conversation(
      'Which pump for the pond?',
      search('pond pump'),
      get('a.example', 'b.example', 'c.example'),
      search('pump noise'),
      get('d.example', 'e.example'),
      search('pump price'),
      get('f.example'),
    ),
    conversation('Make a table of them in my note.', write('Pump.md'), read('Pump.md'), write('Pump.md')),
  ],
  'a plan that is checked against the web': [
    conversation(
      'Check [[Plan]] against what is known.',
      think,
      read('Plan.md'),
      search('sowing in March'),
      get('a.example', 'b.example'),
      search('last frost'),
      get('c.example'),
      write('Plan.md'),
      search('peat free soil'),
      get('d.example'),
      write('Plan.md'),
      read('Plan.md'),
    ),
    conversation(
      'Put the dates into tasks.',
      find('sowing'),
      task('T-1'),
      task('T-2'),
      task('T-3'),
      read('Plan.md'),
      task('T-4'),
      one('vault__check_project'),
      task('T-5'),
    ),
  ],
  'an essay': [
    conversation(
      'Help with [[Essay]].',
      think,
      read('Essay.md'),
      write('Essay.md'),
      read('Notes.md', 'Quotes.md'),
      write('Essay.md'),
      think,
      write('Essay.md'),
    ),
    conversation(
      'Shorten it: [[Essay]].',
      read('Essay.md'),
      write('Essay.md'),
      read('Essay.md'),
      write('Essay.md'),
    ),
  ],
  letters: [
    conversation(
      'Answer this: [[Letter]].',
      recall,
      read('Letter.md'),
      write('Answer.md'),
      write('Answer.md'),
      today,
      write('Answer.md'),
    ),
    conversation('And this one.', read('Letter 2.md'), write('Answer 2.md'), remember),
  ],
  'a story': [
    conversation(
      'Go on with [[Story]].',
      read('Characters.md'),
      think,
      write('Story.md'),
      read('Story.md'),
      think,
      write('Story.md'),
      write('Characters.md'),
      recall,
      remember,
    ),
  ],
  'a bug': [
    conversation(
      'Why does the test fail?',
      code('search_files', 'src'),
      code('read_text_file'),
      code('read_text_file', 'src/b.ts'),
      git('git_log'),
      git('git_diff'),
      think,
      code('edit_file'),
      code('read_text_file'),
      git('git_diff'),
      git('git_add'),
      git('git_commit'),
    ),
  ],
  'a feature': [
    conversation(
      'Build what [[Feature]] says.',
      code('list_directory', 'src'),
      code('read_text_file'),
      code('search_files', 'src'),
      think,
      code('write_file', 'src/c.ts'),
      code('edit_file'),
      code('read_text_file', 'src/c.ts'),
      git('git_status'),
      git('git_diff'),
      git('git_add'),
      git('git_commit'),
      write('Feature.md'),
    ),
  ],
  'a library that is new': [
    conversation(
      'How is it used?',
      search('zod union'),
      get('docs.example'),
      get('docs.example'),
      search('zod brand'),
      get('docs.example'),
    ),
    conversation(
      'Use it here.',
      code('read_text_file'),
      code('edit_file'),
      code('read_text_file'),
      code('edit_file'),
      git('git_diff'),
      git('git_commit'),
    ),
  ],
  issues: [
    conversation(
      'Which issues are urgent?',
      one('github__list_issues', { repo: 'a' }),
      one('github__get_issue', { number: 1 }),
      one('github__get_issue', { number: 2 }),
      one('github__get_issue', { number: 3 }),
      think,
      find('urgent'),
      task('T-1'),
    ),
    conversation(
      'Report the crash.',
      code('read_text_file'),
      git('git_log'),
      code('search_files', 'src'),
      think,
      one('github__list_issues', { repo: 'a' }),
      one('github__create_issue', { title: 'Crash' }),
      write('Log.md'),
    ),
  ],
  'a review': [
    conversation(
      'Look over the change.',
      git('git_log'),
      git('git_diff'),
      code('read_text_file'),
      code('read_text_file', 'b.ts'),
      code('search_files', 'src'),
      think,
      write('Review.md'),
      one('github__get_issue', { number: 3 }),
    ),
  ],
  'before a meeting': [
    conversation(
      'Prepare me for today.',
      today,
      meetings,
      find('open decisions'),
      read('Decisions.md'),
      read('Minutes.md'),
      write('Agenda.md'),
      recall,
    ),
  ],
  'after a meeting': [
    conversation(
      'Make minutes of [[Recording]].',
      read('Agenda.md'),
      write('Minutes.md'),
      one('vault__create_entity', { title: 'A' }),
      one('vault__create_entity', { title: 'B' }),
      task('T-1'),
      remember,
    ),
    conversation(
      'Send them to Ada.',
      recall,
      read('Minutes.md'),
      meetings,
      one('mail__send_mail', { to: 'ada@home.example' }),
      write('Minutes.md'),
      task('T-2'),
    ),
  ],
  mail: [
    conversation(
      'What came in?',
      one('mail__search_mail', { since: 'today' }),
      one('mail__read_mail', { id: 1 }),
      one('mail__read_mail', { id: 2 }),
      one('mail__read_mail', { id: 3 }),
      one('mail__read_mail', { id: 4 }),
      one('mail__read_mail', { id: 5 }),
      one('mail__read_mail', { id: 6 }),
      write('Inbox.md'),
      task('T-7'),
      task('T-8'),
      meetings,
      remember,
    ),
  ],
  'planning a week': [
    conversation(
      'Plan my week.',
      today,
      meetings,
      find('due this week'),
      read('Week.md'),
      task('T-1'),
      task('T-2'),
      write('Week.md'),
      one('vault__get_project_overview'),
    ),
  ],
  'project work': [
    conversation(
      'Where do we stand?',
      one('vault__get_project_overview'),
      one('vault__check_project'),
      find('blocked'),
      read('Story.md'),
      task('S-1'),
      task('S-2'),
      one('vault__create_entity', { title: 'C' }),
      one('vault__check_project'),
    ),
    conversation(
      'Sort the backlog.',
      find('backlog'),
      ...Array.from({ length: 10 }, (_, n) => task(`B-${n}`)),
      one('vault__check_project'),
    ),
  ],
  'tidying up': [
    conversation(
      'Join what is double.',
      one('vault__list_files'),
      read('A.md', 'B.md'),
      write('A.md'),
      read('C.md', 'D.md'),
      write('C.md'),
      write('Index.md'),
      one('vault__check_project'),
    ),
  ],
  'learning a language': [
    conversation(
      'Practise with me: [[Words]].',
      recall,
      write('Words.md'),
      write('Words.md'),
      remember,
      read('Words.md'),
    ),
    conversation('What does this word mean?', search('etymology tulip'), get('words.example')),
  ],
  'a journey': [
    conversation(
      'Trains to the sea?',
      today,
      search('trains'),
      get('rail.example'),
      search('sleeper'),
      get('night.example', 'rail.example'),
      write('Journey.md'),
      search('hotels'),
      get('stay.example'),
    ),
    conversation(
      'Put it together.',
      read('Journey.md'),
      meetings,
      write('Journey.md'),
      task('T-3'),
      one('vault__create_entity', { title: 'Book' }),
    ),
  ],
  'the household': [
    conversation(
      'What is to be paid?',
      one('files__list_directory', { path: '/home/ada' }),
      one('files__read_text_file', { path: '/home/ada/bill.txt' }),
      one('files__read_text_file', { path: '/home/ada/rent.txt' }),
      write('Money.md'),
      task('T-9'),
      today,
      remember,
    ),
  ],
};

const names = ['Plan', 'Essay', 'Letter', 'Story', 'Feature', 'Recording', 'Words'];
const files = Object.fromEntries(names.map((name) => [`${name}.md`, 'My own words.']));

/** The person says yes for the conversation, as whoever wants to get on does. */
async function live(
  conversations: readonly Conversation[],
  tools = flowTools,
): Promise<{ calls: number; questions: number }> {
  let [calls, questions] = [0, 0];
  for (const { asked, rounds } of conversations) {
    const house = flowHouse({
      note: `#User : ${asked}`,
      files,
      tools,
      scripts: obeying(rounds),
      answer: () => ({ kind: 'allow', remember: 'conversation' }),
    });
    await house.answer();
    calls += house.arrived.length;
    questions += house.asked.length;
    expect(house.arrived).toHaveLength(rounds.flat().length);
    expect(house.asked.every(({ why }) => why.kind === 'flow')).toBe(true);
  }
  return { calls, questions };
}

test('in twenty ordinary days the guard asks at most once in ten calls', async () => {
  const lived = await Promise.all(
    Object.entries(days).map(async ([name, conversations]) => ({ name, ...(await live(conversations)) })),
  );
  expect(lived).toHaveLength(20);
  const calls = lived.reduce((sum, day) => sum + day.calls, 0);
  const questions = lived.reduce((sum, day) => sum + day.questions, 0);
  const asking = lived.filter((day) => day.questions > 0);
  process.stdout.write(
    `${questions} questions in ${calls} calls of 20 days: ${asking
      .map((day) => `${day.name} ${day.questions} in ${day.calls}`)
      .join(', ')}\n`,
  );
  expect(questions * 10).toBeLessThanOrEqual(calls);
  // Of a server that nobody knows each mail is asked about: its tool could send it on by itself.
  for (const day of lived)
    if (day.name !== 'mail') expect(day.questions / day.calls, day.name).toBeLessThanOrEqual(0.2);
  expect(lived.find(({ name }) => name === 'mail')).toMatchObject({ questions: 7, calls: 12 });
});

test('a day of mail is as quiet as others once the person said that reading sends nothing', async () => {
  const sendsNothing = { reads: ['private' as const, 'untrusted' as const], sends: false };
  const tools = flowTools.map((tool) =>
    ['read_mail', 'search_mail'].includes(tool.name)
      ? { ...tool, flowRules: { [tool.name]: sendsNothing } }
      : tool,
  );
  expect(await live(days.mail ?? [], tools)).toMatchObject({ calls: 12, questions: 0 });
});
