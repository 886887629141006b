// npm run mutate <area> [-- --most 60] [-- --seed 1]: breaks the code of an area in one small place at a time, in a copy
// of this folder, and says which breaks its tests do not notice.
import { execFileSync, fork } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { isWindows, projectNode, root } from './run.mjs';

/**
 * `equivalent`: breaks after which the code does what it did, as [the line, the line when broken, why nobody can see a
 * difference].
 */
const areas = {
  bridge: {
    code: ['src/bridge/**/*.ts'],
    tests: ['src/bridge', 'tests/bridge'],
    equivalent: [
      ['let lastId = 0;', 'let lastId = 1;', 'the ids of requests only have to differ'],
      [
        'for (let index = 0; index < text.length; index++) {',
        'for (let index = 1; index < text.length; index++) {',
        'what is hashed always begins with the same bracket',
      ],
      [
        'const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));',
        'const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 0));',
        'keys differ, and V8 asks only which of two comes first',
      ],
      [
        'const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));',
        'const entries = Object.entries(value).sort(([a], [b]) => (a <= b ? -1 : 1));',
        'keys differ',
      ],
      [
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a line of code.
        "if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;",
        '',
        'a list is written with its indexes then, alike for both builds',
      ],
      [
        'for (let index = 0; index < text.length; index++) {',
        'for (let index = 0; index <= text.length; index++) {',
        'one round more for both builds alike',
      ],
      [
        'b = Math.imul(b ^ unit, 0x01000193) + index;',
        'b = Math.imul(b ^ unit, 0x01000193) - index;',
        'it makes another hash, which tells builds apart as well',
      ],
      [
        "return [a, b].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('');",
        "return [a, b].map((part) => (part >>> 1).toString(16).padStart(8, '0')).join('');",
        'it makes another hash, which tells builds apart as well but for one bit in 32',
      ],
      [
        'while (start < shorter && changeBetween(before[start], after[start]) === null) start++;',
        'while (start <= shorter && changeBetween(before[start], after[start]) === null) start++;',
        'behind the end of the shorter one is nothing, and an entry of JSON is something',
      ],
    ],
  },
  policy: {
    code: ['src/core/tools/{policy,policy/policy}.ts'],
    tests: ['src/core/tools/{policy,policy/policy}.test.ts'],
    equivalent: [],
  },
  supervisor: {
    code: ['src/core/mcp/server/{supervisor,lifecycle}.ts'],
    tests: ['src/core/mcp/server/{supervisor,lifecycle}.test.ts'],
    equivalent: [
      [
        "dispatch({ kind: 'answered', at: clock.now(), ms: 0, lost: parts.lost() });",
        "dispatch({ kind: 'answered', at: clock.now(), ms: 1, lost: parts.lost() });",
        'both are far from slow, and nothing else is made of it',
      ],
      ['let stops = 0;', 'let stops = 1;', 'only whether it has changed is asked'],
      [
        'if (connection && isUp(life.get().state)) return connection;',
        'if (connection || isUp(life.get().state)) return connection;',
        'there is a connection just as long as the server is up',
      ],
    ],
  },
  writer: {
    code: ['src/core/chat/note/{writer,stretch,answer-cursor,insertion-point,code-end,around-answer}.ts'],
    tests: [
      'src/core/chat/note/stretch.test.ts',
      'tests/chat/{writer,code-under-way,others-at-the-tag,typed-inside}.test.ts',
    ],
    equivalent: [
      [
        'let start = session.anchor(from, 1);',
        'let start = session.anchor(from, 0);',
        'of the side of a place only whether it is below 0 is asked',
      ],
      [
        'typed.push({ from: session.anchor(place.from, 1), to: session.anchor(place.to, -1) });',
        'typed.push({ from: session.anchor(place.from, 0), to: session.anchor(place.to, -1) });',
        'of the side of a place only whether it is below 0 is asked',
      ],
      [
        'start = session.anchor(at + above.length, 1);',
        'start = session.anchor(at + above.length, 0);',
        'of the side of a place only whether it is below 0 is asked',
      ],
      [
        'while (start < most && old[start] === now[start]) start++;',
        'while (start <= most && old[start] === now[start]) start++;',
        'the two differ: where the shorter one ends, the other goes on',
      ],
    ],
  },
  notes: {
    code: [
      'src/core/notes/{text/merge,text/above-turn,text/hunks,text/match,journal/replay}.ts',
      'src/core/notes/disk/{take-disk,join-disk,former-states,read-disk}.ts',
    ],
    tests: [
      'src/core/notes',
      'tests/notes/{notes,life,recovery,ended-sessions,same-note,writers,found-by-model,older-text}.test.ts',
    ],
    equivalent: [
      [
        'if (a.length === 0 || b.length === 0) return;',
        '',
        'where one of two lists is empty nothing is matched without it, too',
      ],
      [
        'if ((hunks[half]?.to ?? 0) < from) low = half + 1;',
        'if ((hunks[half]?.to ?? 1) < from) low = half + 1;',
        'there is a hunk at every half',
      ],
    ],
  },
};

/** Of the breaks that are not equivalent; in per cent. */
const enough = 90;
/** Milliseconds; what takes longer than this and three times the unbroken run hangs. */
const patience = 15_000;
/** Most tests wait more than they work. */
const atOnce = 2;

const swapped = new Map(
  [
    ['===', '!=='],
    ['<', '<='],
    ['>', '>='],
    ['&&', '||'],
    ['+', '-'],
  ].flatMap(([one, other]) => [
    [one, other],
    [other, one],
  ]),
);

/** What one node of a program may be broken to: pieces of text and what stands there instead. */
function breaksOf(node, source) {
  const at = (part, text) => ({ from: part.getStart(source), to: part.end, text });
  if (ts.isBinaryExpression(node)) {
    const text = swapped.get(node.operatorToken.getText(source));
    return text ? [at(node.operatorToken, text)] : [];
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return [{ from: node.getStart(source), to: node.operand.getStart(source), text: '' }];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [at(node, 'false')];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [at(node, 'true')];
  if (ts.isNumericLiteral(node) && ['0', '1'].includes(node.text))
    return [at(node, node.text === '0' ? '1' : '0')];
  if (ts.isIfStatement(node) && !node.elseStatement && isReturn(node.thenStatement)) return [at(node, '')];
  return [];
}

const isReturn = (node) =>
  ts.isReturnStatement(node) ||
  (ts.isBlock(node) && node.statements.length === 1 && ts.isReturnStatement(node.statements[0]));

function mutantsOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    // `true`, `0` and the like are no code in a type.
    if (ts.isTypeNode(node)) return;
    for (const { from, to, text: instead } of breaksOf(node, source)) {
      const [begin, end] = [text.lastIndexOf('\n', from - 1) + 1, `${text}\n`.indexOf('\n', to)];
      const inOneLine = (words) => words.replaceAll(/\s+/g, ' ').trim();
      found.push({
        file,
        line: source.getLineAndCharacterOfPosition(from).line + 1,
        was: inOneLine(text.slice(begin, end)),
        is: inOneLine(text.slice(begin, from) + instead + text.slice(to, end)),
        broken: text.slice(0, from) + instead + text.slice(to),
        whole: text,
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** So many of them, the same ones for the same seed, in the order of the code. */
function sample(mutants, most, seed) {
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const drawn = mutants.map((mutant) => ({ mutant, lot: random() })).sort((a, b) => a.lot - b.lot);
  const chosen = new Set(drawn.slice(0, most).map(({ mutant }) => mutant));
  return mutants.filter((mutant) => chosen.has(mutant));
}

/** What is in the folder and not ignored, and its packages, with a place of their own for what a test run caches. */
function copyTree() {
  const copy = mkdtempSync(join(tmpdir(), 'mutate-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of listed
    .split('\0')
    .filter((one) => /^(src|tests|scripts|resources)\/|^[^/]+$/.test(one))) {
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    // One that was taken away and is listed still.
    cpSync(join(root, file), join(copy, file), { force: true, errorOnExist: false });
  }
  mkdirSync(join(copy, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!['.vite', '.vitest'].includes(name))
      symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name), 'junction');
  return copy;
}

/**
 * Runs the tests of a copy again and again. How they end: 'passed', 'failed', or 'hung' where they take longer than the
 * limit.
 */
function createRunner(copy, tests) {
  let ready;
  /** Files, since it ran last. */
  const changed = [];

  function start() {
    const child = fork(join('scripts', 'mutate-tests.mjs'), tests, {
      cwd: copy,
      execPath: projectNode(),
      env: { ...process.env, POLL_MS: '5000' },
      // Its workers and what they started end with it.
      detached: !isWindows,
      stdio: 'ignore',
    });
    running.add(child.pid);
    child.once('exit', () => running.delete(child.pid));
    return new Promise((resolve, reject) => {
      child.once('message', () => resolve(child));
      child.once('exit', () => reject(new Error('The test runner does not start.')));
    });
  }

  async function run(files, limit) {
    ready ??= start();
    const child = await ready;
    changed.push(...files);
    return new Promise((resolve) => {
      const settle = (result) => {
        clearTimeout(timer);
        child.removeAllListeners('message').removeAllListeners('exit');
        resolve(result);
      };
      const again = (how) => {
        ready = undefined;
        running.delete(child.pid);
        end(child.pid);
        settle({ how, output: '' });
      };
      const timer = setTimeout(() => again('hung'), limit);
      child.once('message', settle);
      // One that the break has ended.
      child.once('exit', () => again('failed'));
      child.send({ changed: changed.splice(0) });
    });
  }

  return { run, changed: (file) => changed.push(file) };
}

const running = new Set();

function end(pid) {
  try {
    if (isWindows) execFileSync('taskkill', ['/pid', String(pid), '/t', '/f']);
    else process.kill(-pid, 'SIGKILL');
  } catch {
    // It had ended.
  }
}

async function mutate(area, { most, seed }) {
  const files = area.code.flatMap((pattern) => globSync(pattern, { cwd: root }));
  const named = files.map((file) => file.split(sep).join('/')).filter((file) => !file.endsWith('.test.ts'));
  const tests = area.tests.flatMap((pattern) => globSync(pattern, { cwd: root }));
  const all = named.sort().flatMap(mutantsOf);
  const reasonOf = ({ was, is }) =>
    area.equivalent.find(([before, after]) => before === was && after === is)?.[2];
  for (const [before, after] of area.equivalent)
    if (!all.some(({ was, is }) => was === before && is === after))
      console.log(`No longer there, though listed as equivalent: ${before}  →  ${after}`);
  const real = all.filter((mutant) => !reasonOf(mutant));
  const chosen = sample(real, most, seed);
  console.log(
    `${all.length} breaks of ${named.length} files, ${all.length - real.length} of them equivalent; ${chosen.length} are tried.`,
  );

  const copies = Array.from({ length: atOnce }, copyTree);
  const runners = copies.map((copy) => createRunner(copy, tests));
  const clear = () => {
    for (const pid of running) end(pid);
    for (const copy of copies) rmSync(copy, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => {
      clear();
      process.exit(130);
    });
  try {
    const started = performance.now();
    // As much at once as when something is broken.
    const whole = await Promise.all(runners.map((runner) => runner.run([], 600_000)));
    const broken = whole.find(({ how }) => how !== 'passed');
    if (broken) {
      console.error(`${broken.output}\nThe tests fail already where nothing is broken.`);
      return false;
    }
    const limit = patience + 3 * (performance.now() - started);
    const left = chosen.values();
    let caught = 0;
    await Promise.all(
      copies.map(async (copy, index) => {
        for (const mutant of left) if (await isCaught(mutant, copy, runners[index], limit)) caught++;
      }),
    );
    const share = chosen.length === 0 ? 100 : (100 * caught) / chosen.length;
    const seconds = Math.round((performance.now() - started) / 1_000);
    console.log(`${caught} of ${chosen.length} caught: ${share.toFixed(1)} % (${seconds} s)`);
    return share >= enough;
  } finally {
    clear();
  }
}

async function isCaught({ file, line, was, is, broken, whole }, copy, runner, limit) {
  writeFileSync(join(copy, file), broken);
  const { how } = await runner.run([file], limit);
  writeFileSync(join(copy, file), whole);
  runner.changed(file);
  const word = { passed: 'SURVIVED', failed: 'caught', hung: 'caught by time' }[how];
  console.log(`${word} ${file}:${line}  ${was}  →  ${is || '(nothing)'}`);
  return how !== 'passed';
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { most: { type: 'string', default: 'Infinity' }, seed: { type: 'string', default: '1' } },
});
const [name = ''] = positionals;
const [most, seed] = [Number(values.most), Number(values.seed)];
if (!Object.hasOwn(areas, name) || !(most > 0) || !Number.isInteger(seed)) {
  console.error(`node scripts/mutate.mjs <${Object.keys(areas).join('|')}> [--most 60] [--seed 1]`);
  process.exit(2);
}
process.exitCode = (await mutate(areas[name], { most, seed })) ? 0 : 1;
