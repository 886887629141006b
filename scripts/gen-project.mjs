#!/usr/bin/env node
// Writes a project of COUNT entities into FOLDER/Projects: the same seed, the same notes.
//   node scripts/gen-project.mjs FOLDER COUNT [SEED]
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const areas = ['auth', 'billing', 'search', 'mobile', 'reports', 'import', 'admin', 'platform'];
const verbs = [
  'Add',
  'Measure',
  'Rewrite',
  'Document',
  'Test',
  'Simplify',
  'Migrate',
  'Review',
  'Design',
  'Remove',
];
const things =
  'login form,session store,invoice export,price table,index builder,query parser,offline cache,push channel,chart view,weekly report,file reader,column mapping,role editor,audit trail,deploy script,error page'.split(
    ',',
  );
const ends = [
  'for small screens',
  'before the release',
  'without downtime',
  'behind a switch',
  'for the pilot group',
  'with fewer steps',
  'in the new layout',
];
const sentences = [
  'It has to work without a connection and catch up later.',
  'The present solution fails when two people save at once.',
  'Measured with the data of last month, the slow part is the second query.',
  'Nobody should notice the change, apart from the shorter wait.',
  'The text of the error says what to do next.',
  'Old links keep working for a year.',
  'Numbers are rounded once, at the very end.',
  'Whoever reviews this looks at the migration first.',
  'The form remembers what was typed when the session ends.',
  'There is one place that knows the rule; the others ask it.',
];
const day = 86_400_000;
const first = Date.UTC(2026, 5, 1);

/** Mulberry32: small, and the same everywhere. */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function generateProject(folder, count, seed = 1) {
  const next = random(seed);
  const pick = (list) => list[Math.floor(next() * list.length)];
  const numbers = { M: 0, S: 0, T: 0, DEC: 0, DOC: 0 };
  const idOf = (prefix) => `${prefix}-${String(++numbers[prefix]).padStart(3, '0')}`;
  const made = [];
  const milestones = [];
  const stories = [];
  const tasks = [];

  const write = (type, plural, prefix, fields) => {
    const id = idOf(prefix);
    const title = `${pick(verbs)} ${pick(things)} ${pick(ends)}`;
    const time = new Date(first + Math.floor(next() * 150) * day).toISOString();
    const all = {
      id,
      type,
      title,
      priority: pick(['low', 'medium', 'medium', 'high', 'critical']),
      ...fields,
      created: time,
      updated: time,
    };
    const lines = Object.entries(all)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) =>
        Array.isArray(value)
          ? `${key}:\n${value.map((item) => `  - ${item}`).join('\n')}`
          : `${key}: ${value}`,
      );
    const body = Array.from({ length: 8 + Math.floor(next() * 14) }, () => pick(sentences)).join(' ');
    const place = join(folder, 'Projects', plural);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `${id} ${title}.md`), `---\n${lines.join('\n')}\n---\n\n${body}\n`);
    const entity = { id, workstream: fields.workstream };
    made.push(entity);
    return entity;
  };
  const work = () =>
    pick([
      'not_started',
      'not_started',
      'not_started',
      'in_progress',
      'in_progress',
      'blocked',
      'completed',
      'completed',
    ]);
  const someOf = (list, share) =>
    list.length > 0 && next() < share ? [pick(list.slice(-30)).id] : undefined;

  while (made.length < count) {
    const kind = made.length % 25;
    if (kind === 0) {
      const workstream = areas[milestones.length % areas.length];
      milestones.push(
        write('milestone', 'milestones', 'M', {
          workstream,
          status: pick(['not_started', 'in_progress', 'completed']),
          target_date: new Date(first + Math.floor(next() * 500) * day).toISOString().slice(0, 10),
        }),
      );
    } else if (kind % 6 === 1) {
      const parent = milestones.at(-1);
      stories.push(
        write('story', 'stories', 'S', {
          workstream: parent.workstream,
          status: work(),
          parent: parent.id,
          depends_on: someOf(stories, 0.3),
          acceptance_criteria: [pick(sentences), pick(sentences)],
          tags: ['generated'],
        }),
      );
    } else if (kind === 12) {
      const parent = milestones.at(-1);
      write('decision', 'decisions', 'DEC', {
        workstream: parent.workstream,
        status: pick(['pending', 'decided']),
        context: pick(sentences),
        decision: pick(sentences),
        rationale: pick(sentences),
        enables: someOf(stories, 0.7),
      });
    } else if (kind === 18) {
      const parent = milestones.at(-1);
      write('document', 'documents', 'DOC', {
        workstream: parent.workstream,
        status: pick(['draft', 'review', 'approved']),
        doc_type: 'specification',
        version: 1,
      });
    } else {
      const parent = stories.at(-1);
      tasks.push(
        write('task', 'tasks', 'T', {
          workstream: parent.workstream,
          status: work(),
          parent: parent.id,
          depends_on: someOf(tasks, 0.4),
          estimate_hours: 1 + Math.floor(next() * 16),
        }),
      );
    }
  }
  return made.length;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder, count, seed] = process.argv.slice(2);
  if (!folder || !(Number(count) > 0)) {
    console.error('node scripts/gen-project.mjs FOLDER COUNT [SEED]');
    process.exit(2);
  }
  console.log(`${generateProject(folder, Number(count), Number(seed ?? 1))} entities in ${folder}`);
}
