import { isAppError } from '../../../src/contract/errors';
import { createFiles } from '../../../src/core/vault/files/files';
import { rootFolder } from '../../../src/files';

/** An app's way of saving: adds lines to one note, each to what it read, and says how often it was refused. */
const [vault = '', who = '', many = ''] = process.argv.slice(2);
const files = createFiles(rootFolder(vault), { hold: () => () => undefined, close: () => undefined });
let refused = 0;

async function add(line: string): Promise<void> {
  const { bytes, version } = await files.readRaw('Log.md');
  const text = `${Buffer.from(bytes).toString()}${line}\n`;
  await files
    .write('Log.md', text, version, () => undefined)
    .catch((error: unknown) => {
      if (!isAppError(error, 'vault.changed')) throw error;
      refused++;
      return add(line);
    });
}

for (let number = 0; number < Number(many); number++) await add(`${who} ${number}`);
process.stdout.write(`${refused}\n`);
