import { appendFileSync } from 'node:fs';

if (process.argv[2]) appendFileSync(process.argv[2], `${process.pid}\n`);
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
