import { describe, expect, test } from 'vitest';
import type { SettingsStore } from '../../src/core/settings';
import {
  beside,
  type Draft,
  isEmpty,
  isSavedByLeaving,
  noDraft,
  overtakenFields,
  readDraft,
  withSeen,
  withTyped,
} from '../../src/renderer/base/drafts/draft';
import { testProviders } from '../providers/support';
import { createMemorySettings } from '../support/in-memory';

type Value = string | number | boolean;

/** A form over the real operation that saves it. */
interface Kind {
  readonly field: string;
  readonly values: readonly [Value, Value, Value];
  now(): Record<string, unknown>;
  /** `before`: the whole form, as the window that saves shows it as saved. */
  save(values: Record<string, unknown>, before: Record<string, unknown>): Promise<unknown>;
}

const inGroup = (
  settings: SettingsStore,
  group: 'chat' | 'tools' | 'tags',
  field: string,
  values: Kind['values'],
  as: (value: unknown) => unknown = (value) => value,
): Kind => ({
  field,
  values,
  now: () => ({
    [field]: new Map<string, unknown>(Object.entries(settings.current.get()[group])).get(field),
  }),
  save: async (next, before) =>
    settings.change({ [group]: { [field]: as(next[field]) } }, { [group]: { [field]: as(before[field]) } }),
});

const kinds: Record<string, () => Promise<Kind>> = {
  text: async () => inGroup(createMemorySettings(), 'chat', 'systemPrompt', ['', 'Be brief.', 'Be kind.']),
  number: async () => inGroup(createMemorySettings(), 'tools', 'timeout', [30_000, 45_000, 60_000]),
  tags: async () => {
    const kind = inGroup(
      createMemorySettings({ tags: { user: ['Me'] } }),
      'tags',
      'user',
      ['Me', 'You', 'They'],
      (tag) => [tag],
    );
    return { ...kind, now: () => ({ user: [kind.now().user].flat()[0] }) };
  },
  provider: async () => {
    const providers = testProviders();
    const { providerId: id } = await providers.save({ vendor: 'demo', tag: 'One', model: 'a' });
    const now = () => ({ ...providers.list.get().find((provider) => provider.id === id) });
    const config = ({ model }: Record<string, unknown>) => ({
      ...{ id, vendor: 'demo', tag: 'One', model: String(model) },
    });
    return {
      field: 'model',
      values: ['a', 'b', 'c'],
      now,
      save: (next, before) => providers.save(config(next), undefined, config(before)),
    };
  },
  price: async () => {
    const providers = testProviders();
    const priceOf = ({ input }: Record<string, unknown>) => ({ input: Number(input), output: 1 });
    providers.setPrice('openai', 'm', priceOf({ input: 1 }));
    return {
      field: 'input',
      values: [1, 2, 3],
      now: () => ({ input: providers.prices.get().prices.find(({ model }) => model === 'm')?.input }),
      save: async (next, before) => providers.setPrice('openai', 'm', priceOf(next), priceOf(before)),
    };
  },
};

/** One window with the form open. It shows what is saved as of when it last looked. */
function windowOn(kind: Kind) {
  let shown = kind.now();
  let draft: Draft = noDraft;
  let isTouched = false;
  const send = () => kind.save({ ...shown, ...draft.mine }, shown).catch((error: unknown) => error);
  return {
    type: (value: Value) => {
      draft = withTyped(draft, shown, { [kind.field]: value });
      isTouched = true;
    },
    look: () => {
      shown = kind.now();
      draft = beside(draft, shown);
    },
    reload: () => {
      draft = readDraft(JSON.parse(JSON.stringify(draft))) ?? noDraft;
      isTouched = false;
      shown = kind.now();
    },
    leave: async () => isSavedByLeaving(draft, shown, isTouched) && send(),
    save: async () => !isEmpty(draft) && overtakenFields(draft, shown).length === 0 && send(),
    saveMine: async () => {
      draft = withSeen(draft, shown);
      await send();
    },
    asks: () => overtakenFields(draft, shown).length > 0,
    holds: () => !isEmpty(beside(draft, kind.now())),
  };
}
type Opened = ReturnType<typeof windowOn>;

/** What a person does with the draft; `isTold`: the window knows by then what the other one has saved. */
const ways: Record<string, { isTold: boolean; saves: boolean; act(one: Opened): Promise<unknown> }> = {
  'it is left': { isTold: true, saves: true, act: (one) => one.leave() },
  'it is saved': { isTold: true, saves: true, act: (one) => one.save() },
  'it is loaded anew and left': {
    isTold: true,
    saves: false,
    act: (one) => {
      one.reload();
      return one.leave();
    },
  },
  'it is loaded anew and saved': {
    isTold: true,
    saves: true,
    act: (one) => {
      one.reload();
      return one.save();
    },
  },
  'it is left before it hears of the other': { isTold: false, saves: true, act: (one) => one.leave() },
  'it is saved before it hears of the other': { isTold: false, saves: true, act: (one) => one.save() },
};

for (const [name, make] of Object.entries(kinds)) {
  describe(name, () => {
    for (const [way, { isTold, saves, act }] of Object.entries(ways)) {
      test(`what another window saved is not replaced unseen when ${way}`, async () => {
        for (const at of Array.from({ length: 27 }, (_, n) => [
          n % 3,
          Math.floor(n / 3) % 3,
          Math.floor(n / 9),
        ])) {
          const kind = await make();
          const [base, mine, theirs] = at.map((index) => kind.values[index]) as [Value, Value, Value];
          const set = async (value: Value) =>
            kind.now()[kind.field] === value ||
            (await kind.save({ ...kind.now(), [kind.field]: value }, kind.now()));
          await set(base);
          const [one, other] = [windowOn(kind), windowOn(kind)];
          if (mine !== base) one.type(mine);
          if (theirs !== base) {
            other.type(theirs);
            await other.leave();
          }
          expect(kind.now()[kind.field]).toBe(theirs);
          if (isTold) one.look();
          await act(one);
          one.look();
          const isConflict = mine !== base && theirs !== base && mine !== theirs;
          const isSaved = mine !== base && saves && !isConflict;
          expect(kind.now()[kind.field], `${base}, ${mine} here, ${theirs} there`).toBe(
            isSaved ? mine : theirs,
          );
          expect(one.asks()).toBe(isConflict);
          if (!isConflict) continue;
          expect(one.holds(), 'what was typed is kept').toBe(true);
          await one.saveMine();
          expect(kind.now()[kind.field], 'whoever has seen both decides').toBe(mine);
        }
      });
    }
  });
}
