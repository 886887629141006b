import { rootFolder } from '../files';
import type { ChangeParts } from './change/change';
import { changeTimes, createEntityIndex } from './entity/index/entity-index';
import { createStore } from './store/store';
import { createTree, type Tree } from './store/tree/tree';

/** What the server's tools and the app read and change the entities of one vault by; nothing is read before it is asked for. */
export function openEntities({
  root,
  now,
}: {
  readonly root: string;
  readonly now: () => Date;
}): ChangeParts & { readonly tree: Tree } {
  const home = rootFolder(root);
  const tree = createTree({ root, home });
  const store = createStore({ root, home, tree, readWritten: () => entityIndex.present() });
  const entityIndex = createEntityIndex({
    root,
    tree,
    readChangeTimes: () => store.readRecord(changeTimes),
    now,
  });
  return { tree, store, entityIndex, now };
}
