import { cp, stat } from 'node:fs/promises';
import { join } from 'node:path';

const name = 'Interlinear sample';

/** The sample vault's folder in the person's documents; copied there the first time, then left as the person made it. */
export async function copySampleVault(resourcesFolder: string, documentsFolder: string): Promise<string> {
  const target = join(documentsFolder, name);
  const there = await stat(target).catch(() => null);
  if (!there) await cp(join(resourcesFolder, 'sample-vault'), target, { recursive: true });
  return target;
}
