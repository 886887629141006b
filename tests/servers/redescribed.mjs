import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { endWithInput, send, serve, text, tool } from './speak.mjs';

/**
 * Writes down each call and describes its tools as its file says; `end` ends it, `retell` has it say that they have changed,
 * and then it takes its time to list them.
 */
const [, , record, words] = process.argv;
let takesTime = false;
const description = () => (existsSync(words) ? readFileSync(words, 'utf8') : 'Looks up words.');

serve(
  {
    async 'tools/list'() {
      if (takesTime) await new Promise((later) => setTimeout(later, 200));
      return {
        tools: ['look', 'end', 'retell'].map((name) =>
          tool(name, { description: description(), annotations: { readOnlyHint: true } }),
        ),
      };
    },
    'tools/call': ({ name }) => {
      appendFileSync(record, `${name}\n`);
      if (name === 'end') process.exit(0);
      if (name === 'retell') {
        takesTime = true;
        send({ method: 'notifications/tools/list_changed' });
      }
      return text('done');
    },
  },
  { capabilities: { tools: { listChanged: true } } },
);
endWithInput();
