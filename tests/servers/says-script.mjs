import { appendFileSync, readFileSync, statSync } from 'node:fs';

/**
 * Answers as a script says, whatever it is: by method the lines of each answer in turn, over all starts of this program. First
 * argument: the script with what it says first of all; second: a file that keeps count of the starts; third, `good`: where hands are
 * shaken as they should be, and each question has its good answer, too.
 */
const [file, starts, good] = process.argv.slice(2);
const { script, whole, first } = JSON.parse(readFileSync(file, 'utf8'));
appendFileSync(starts, '.');
const start = statSync(starts).size - 1;
const handshake = new Set(['initialize', 'server/discover', 'ping', 'tools/list', 'subscriptions/listen']);
const counts = new Map();

const write = (line) => process.stdout.write(Buffer.from(`${line}\n`, 'latin1'));
const asked = (text, id) => text.replaceAll('"$ID"', JSON.stringify(id)).replaceAll('$ID', String(id));
const before = first[start % first.length] ?? '';
if (before !== '') write(before);

let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) if (line.trim() !== '') answer(JSON.parse(line));
});
process.stdin.on('end', () => process.exit(0));

function answer({ id, method }) {
  if (id === undefined || method === undefined) return;
  const all = script[method];
  const count = counts.get(method) ?? start * 5;
  counts.set(method, count + 1);
  if (all && !(good && handshake.has(method)))
    for (const line of all[count % all.length]) write(asked(line, id));
  if (!good) return;
  if (whole[method]) write(asked(whole[method], id));
  else write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } }));
}
