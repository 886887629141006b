import { createHash, randomBytes } from 'node:crypto';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolderOf, durableWrite, makeOwnFolder, preparePrivateFolder, readFileAt } from '../files';

/**
 * What a client of the HTTP server has to send. It is made at the first start for a vault and lies in a file that only its
 * owner may read, outside the vault; it stays the same, as it stands in configurations of clients. Without the file the
 * next start makes another.
 */
export async function tokenOf(
  root: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<{ path: string; token: string }> {
  const dataFolder = dataFolderOf(environment);
  preparePrivateFolder(dataFolder);
  const folder = join(dataFolder, 'vault-server');
  makeOwnFolder(folder);
  const path = join(folder, `${createHash('sha256').update(root).digest('hex').slice(0, 16)}.token`);
  const newToken = randomBytes(32).toString('base64url');
  await durableWrite(path, `${newToken}\n`, { exclusive: true, private: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  await chmod(path, 0o600);
  const token = (await readFileAt(path, 1024)).toString('utf8').trim();
  if (token.length < 32) throw new Error(`${path} holds no token. Remove it, and the next start makes one.`);
  return { path, token };
}
