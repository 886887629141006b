// What Electron's own types declare, so that a stand-in can neither invent a call nor be asked for one in vain.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const types = readFileSync(createRequire(import.meta.url).resolve('electron/electron.d.ts'), 'utf8').split(
  '\n',
);

/** From Node, by every emitter. */
const ofEmitter = [
  'on',
  'once',
  'off',
  'emit',
  'addListener',
  'removeListener',
  'removeAllListeners',
  'listenerCount',
];

/** Names of the members of a class or an interface of Electron, and of what it extends; static ones with `{ fixed: true }`. */
export function membersOf(name, { fixed = false } = {}) {
  const start = types.findIndex((line) =>
    new RegExp(`^  (class|interface) ${name}( extends| \\{)`).test(line),
  );
  if (start < 0) throw new Error(`Electron declares no ${name}.`);
  const parent = /extends ([\w.]+)/.exec(types[start])?.[1];
  const members = new Set();
  for (let at = start + 1; types[at] !== '  }'; at++) {
    const found = /^ {4}(static )?(?:readonly |get |set )*(\w+)[?(:<]/.exec(types[at]);
    if (found && Boolean(found[1]) === fixed) members.add(found[2]);
  }
  if (parent?.endsWith('EventEmitter')) for (const member of ofEmitter) members.add(member);
  else if (parent) for (const member of membersOf(parent, { fixed })) members.add(member);
  return members;
}

/** Names of the events that can be listened for. */
export function eventsOf(name) {
  const start = types.findIndex((line) =>
    new RegExp(`^  (class|interface) ${name}( extends| \\{)`).test(line),
  );
  const events = new Set();
  const parent = /extends (\w+)/.exec(types[start])?.[1];
  for (let at = start + 1; types[at] !== '  }'; at++) {
    const event = /^ {4}on\(event: '([\w-]+)'/.exec(types[at])?.[1];
    if (event) events.add(event);
  }
  if (parent && /^(BaseWindow|WebContents)$/.test(parent))
    for (const event of eventsOf(parent)) events.add(event);
  return events;
}

const asked = new Set(['then', 'toJSON', 'constructor', 'captureRejections']);

/**
 * An object that has what is given and nothing else. A member that Electron does not declare, given or asked for, an event
 * that it does not emit, and a declared member that the stand-in lacks are each an error, told to `onUnknown` as well.
 */
export function strict(name, given, onUnknown, options) {
  const members = membersOf(name, options);
  const events = eventsOf(name);
  for (const member of Object.keys(given))
    if (!member.startsWith('_') && !members.has(member))
      throw new Error(`Electron’s ${name} has no ${member}.`);
  const fail = (what) => {
    onUnknown(what);
    throw new Error(what);
  };
  return new Proxy(given, {
    get(target, member, receiver) {
      if (typeof member !== 'string' || member.startsWith('_') || asked.has(member))
        return Reflect.get(target, member, target);
      if (!members.has(member)) return fail(`Electron’s ${name} has no ${member}.`);
      if (!(member in target)) return fail(`The stand-in for ${name} lacks ${member}.`);
      // What others call their channels is theirs to choose.
      if (name !== 'IpcMain' && (member === 'on' || member === 'once'))
        return (event, listener) => {
          if (!events.has(event)) fail(`Electron’s ${name} has no event ${event}.`);
          target[member](event, listener);
          return receiver;
        };
      const value = Reflect.get(target, member, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
