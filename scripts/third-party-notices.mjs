import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

/** What each of the builds says of the packages that its bundles hold. */
const lists = ['out/main/licences.json', 'out/main/vault-licences.json', 'out/renderer/licences.json'];

/** What is shipped beside the bundles. */
const external = ['@napi-rs/keyring'];

/**
 * Makes of the lists one, for the window (`third-party-notices.json`: `{ name, version, license, text }[]`, the licence
 * as an SPDX expression), and a text for the packages of the app. Throws for a package that names no licence: it may
 * not be passed on.
 */
export function writeThirdPartyNotices() {
  const packages = new Map();
  for (const list of lists) {
    for (const { name, version, identifier, text } of readJson(list))
      packages.set(`${name}@${version}`, { name, version, license: identifier, text: text ?? '' });
    rmSync(join(root, list));
  }
  for (const name of external) {
    const { version, license } = readJson(`node_modules/${name}/package.json`);
    const text = readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8').trim();
    packages.set(`${name}@${version}`, { name, version, license, text });
  }
  const notices = [...packages.values()]
    .map(complete)
    .sort((a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'));
  const write = (name, content) => writeFileSync(join(root, 'out/renderer', name), content);
  write('third-party-notices.json', JSON.stringify(notices));
  write('third-party-notices.txt', print(notices));
}

function complete({ name, version, license, text }) {
  if (!license) throw new Error(`${name} ${version} names no licence.`);
  const own = text || `The package holds no text of its licence: https://spdx.org/licenses/${license}`;
  // The Apache licence wants this file passed on, too.
  const folder = join(root, 'node_modules', name);
  const notice = existsSync(folder) && readdirSync(folder).find((file) => /^notice(\.|$)/i.test(file));
  const parts = notice ? [own, readFileSync(join(folder, notice), 'utf8').trim()] : [own];
  return { name, version, license, text: parts.join('\n\n') };
}

function print(notices) {
  const head = `Interlinear is built from ${notices.length} packages by others, under the licences below.\n`;
  const parts = notices.map(({ name, version, license, text }) =>
    [`${name} ${version}`, `Licence: ${license}`, `https://www.npmjs.com/package/${name}`, '', text, ''].join(
      '\n',
    ),
  );
  return [head, ...parts].join(`\n${'─'.repeat(72)}\n\n`);
}

const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
