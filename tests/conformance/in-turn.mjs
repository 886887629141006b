// The suite starts all its clients at once. On a small computer they would time out, so a few at a time are let through.
import { mkdirSync, rmdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , client, slots] = process.argv;

function take() {
  for (let number = 0; number < availableParallelism(); number++) {
    const slot = join(slots, String(number));
    try {
      mkdirSync(slot);
      process.on('exit', () => rmdirSync(slot));
      return true;
    } catch {
      // Somebody has it.
    }
  }
  return false;
}

while (!take()) await new Promise((resolve) => setTimeout(resolve, 50));
await import(pathToFileURL(client).href);
