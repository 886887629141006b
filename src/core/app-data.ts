import { join } from 'node:path';
import type { NoticeFacts } from '../contract/app';
import {
  type Database,
  type DataFolder,
  type FileTrouble,
  type Lifetime,
  openDatabase,
  watchDataFolder,
} from './foundation';
import type { Host } from './host';
import { setNetwork } from './network';
import { type DataPart, fileNotice, type Notices } from './notices';
import { createSettings, type SettingsStore } from './settings';
import { createTrust, type Trust } from './trust';

/** What the app keeps for itself in the data folder. Each part opens by itself; what goes wrong with one is a notice. */
export interface AppData {
  readonly settings: SettingsStore;
  readonly trust: Trust;
  readonly database: Database;
  readonly folder: DataFolder;
  noticeTrouble(part: DataPart): (trouble: FileTrouble) => void;
  /** Takes back what was told while this part could not be kept. */
  noticeTroubleOver(part: DataPart): () => void;
}

export function openAppData(host: Host, notices: Notices, life: Lifetime): AppData {
  const { clock, log, dataFolder } = host;
  const noticeTrouble = (part: DataPart) => (trouble: FileTrouble) => notices.add(fileNotice(part, trouble));
  const noticeTroubleOver = (part: DataPart) => () => notices.withdraw((facts) => isPassing(facts, part));

  const settings = createSettings({
    settingsFile: host.settingsFile,
    log: log.named('settings'),
    onTrouble: noticeTrouble('settings'),
  });
  setNetwork({ environment: host.environment, caFile: () => settings.current.get().network.caFile });
  host.secrets.onTrouble?.(noticeTrouble('secrets'));
  const trust = createTrust(join(dataFolder, 'trust.json'), noticeTrouble('trust'));
  const database = openDatabase(join(dataFolder, 'interlinear.db'), noticeTrouble('history'), {
    clock,
    log: log.named('database'),
    onTroubleOver: noticeTroubleOver('history'),
  });
  life.add(database.close);

  const folder = watchDataFolder({
    folder: dataFolder,
    clock,
    log: log.named('data'),
    onChange(state) {
      log.warn('data folder', { ...state, folder: dataFolder });
      database.review();
      notices.withdraw((facts) => facts.code === 'data-folder' && facts.state !== 'gone');
      if (state.kind === 'writable') return;
      notices.add({
        code: 'data-folder',
        state: state.kind,
        folder: dataFolder,
        reason: 'reason' in state ? state.reason : '',
      });
    },
  });
  life.add(folder.close);
  folder.whenMadeAnew(settings.putBack);

  return { settings, trust, database, folder, noticeTrouble, noticeTroubleOver };
}

const isPassing = (facts: NoticeFacts, part: DataPart): boolean =>
  facts.code === 'damaged' && facts.what === part && facts.state !== 'damaged' && facts.state !== 'newer';
