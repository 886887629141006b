import { join } from 'node:path';
import { makeFolders } from '../../../src/files';
import { record } from '../../notes/power/record';
import { connectVault } from '../serve-vault';
import { batches } from './batches';

/** Batches of which all that the file system is asked for is recorded, and printed at its end. */
const [, , folder = ''] = process.argv;
const { log, say } = record(folder);
const root = join(folder, 'vault');
makeFolders(root);
const served = await connectVault(root);
for (const batch of batches) {
  const answer = await served.ask('batch_update', batch);
  if (JSON.parse(answer).summary?.failed !== 0) throw new Error(answer);
  say(`safe ${batch.options.batch_key}`);
}
await served.close();
process.stdout.write(JSON.stringify(log));
