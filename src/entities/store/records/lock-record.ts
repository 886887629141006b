import { basename, join } from 'node:path';
import { besideDatabase, lockDamage, makeSharedFile, whileLocked } from '../../../files';
import { lockName, NoRecord, repairLockName } from './no-record';
import type { OwnFolder } from './own-folder';

/** The files of the vault's lock, and of the one that is held while it is repaired. */
export interface LockRecord {
  /** The place of the vault's lock, in which nothing but a lock stands, or nothing. */
  place(): Promise<string>;
  /** Why the lock can't be held, once it could not be. */
  refusal(): Promise<NoRecord | null>;
  /** Not while the lock is held: as long as it is damaged there is none. */
  setAside(): Promise<void>;
  troubles(): Promise<readonly NoRecord[]>;
}

/** Milliseconds. */
const longestWait = 10_000;

export function createLockRecord(own: OwnFolder): LockRecord {
  async function lockTrouble(lock: string): Promise<NoRecord | null> {
    const parts = ['', ...besideDatabase].map((ending) => lock + ending);
    for (const name of parts) {
      const trouble = await own.troubleAt(name);
      if (trouble) return trouble;
    }
    const damage = lockDamage(join(await own.place(), lock));
    return damage && new NoRecord(basename(damage.file), { why: damage.why, way: 'set-aside' });
  }

  async function setLockDamageAside(lock: string): Promise<void> {
    for (let damage = await lockTrouble(lock); damage; damage = await lockTrouble(lock)) {
      if (damage.trouble.way !== 'set-aside') throw damage;
      await own.setAside(damage.record);
    }
  }

  /** Of several who repair the lock at once only one finds it damaged: they take another one for that. */
  async function setLockAside(): Promise<void> {
    await setLockDamageAside(repairLockName);
    await own.within(repairLockName, async (other) => {
      makeSharedFile(other);
      await whileLocked(other, longestWait, () => setLockDamageAside(lockName));
    });
  }

  return {
    place: async () => {
      const place = await own.within(lockName, async (each) => each);
      for (const ending of besideDatabase) await own.within(lockName + ending, async () => undefined);
      return place;
    },
    refusal: () => lockTrouble(lockName),
    setAside: setLockAside,
    troubles: async () => {
      const troubles: NoRecord[] = [];
      for (const lock of [lockName, repairLockName]) {
        const trouble = await lockTrouble(lock);
        if (trouble) troubles.push(trouble);
      }
      return troubles;
    },
  };
}
