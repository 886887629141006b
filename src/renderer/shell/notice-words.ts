import type { NoticeFacts } from '../../contract/app';
import { reasonText } from '../base/text/error-words';
import { listed } from '../base/text/format';
import { t } from '../base/text/text';

export function noticeTitle(facts: NoticeFacts): string {
  switch (facts.code) {
    case 'damaged':
      return waits(facts) ? t('notice.waits.history') : t(`notice.damaged.${facts.what}`);
    case 'hooks-file':
      return t('hooks.problems');
    case 'text-kept':
      return t(facts.reason === 'conflict' ? 'notice.textKept.conflict' : 'notice.textKept', {
        note: facts.note,
      });
    case 'conflicts-dropped':
      return t('notice.conflictsDropped', { count: facts.count });
    case 'no-journals':
      return t('notice.noJournals');
    case 'data-folder':
      return t(`notice.dataFolder.${facts.state}`);
    case 'hook-failed':
      return t('notice.hookFailed', { hook: facts.hook });
    case 'server-given-up':
      return t('notice.serverGivenUp', { server: facts.server });
    case 'not-retried':
      return t('notice.notRetried', { note: facts.note });
    case 'not-run-again':
      return t('notice.notRunAgain', { tool: facts.tool, note: facts.note });
    case 'note-wants':
      return t('notice.noteWants', { note: facts.note });
    case 'server-renamed':
      return t('notice.serverRenamed', { from: facts.from, to: facts.to });
    case 'words-kept':
      return t('notice.wordsKept', { entity: facts.entity });
    case 'call-ended':
      return t(facts.ok ? 'notice.callDone' : 'notice.callEnded');
    case 'hard-links':
      return t('notice.hardLinks', { note: facts.note });
    case 'fault':
      return t('notice.fault');
  }
}

/** What belongs into the database is written once it can be; of a newer app's it never is. */
const waits = ({ what, state }: Extract<NoticeFacts, { code: 'damaged' }>) =>
  what === 'history' && state !== 'damaged' && state !== 'newer';

export function noticeDetail(facts: NoticeFacts): string {
  switch (facts.code) {
    case 'damaged': {
      const isSalvaged = facts.what === 'journal' && facts.keptAs !== null;
      const place = facts.keptAs === null ? '' : t('notice.keptAs', { path: facts.keptAs });
      const lost = facts.lost.length === 0 ? '' : t('notice.lost', { entries: listed(facts.lost) });
      if (waits(facts)) return [`${facts.file}: ${facts.reason}.`, t('notice.waits.text')].join(' ');
      const state = t(`notice.file.${facts.state}`, { file: facts.file });
      return [state, facts.reason, lost, isSalvaged ? t('notice.journalSalvaged') : place]
        .filter(Boolean)
        .join(' ');
    }
    case 'hooks-file':
      return facts.problems.map((problem) => t('hooks.problem', problem)).join(' ');
    case 'text-kept':
      return facts.reason === 'conflict'
        ? t('notice.textKept.conflictText')
        : [t(`recovery.why.${facts.reason}`), t('notice.textKeptAs', { path: facts.keptAs })].join(' ');
    case 'conflicts-dropped':
      return t('notice.conflictsDroppedText');
    case 'no-journals':
      return t('notice.noJournalsText', { reason: facts.reason });
    case 'data-folder': {
      const what = facts.state === 'gone' ? 'notice.dataFolderAnew' : 'notice.dataFolderWaits';
      return t(what, { folder: facts.folder });
    }
    case 'hook-failed':
      return facts.reason;
    case 'server-given-up':
      return reasonText(facts.reason);
    case 'server-renamed': {
      const { hooks, agents, notes } = facts;
      const line = (key: 'hooks' | 'agents' | 'notes', names: readonly string[]) =>
        names.length === 0 ? '' : t(`notice.renamed.${key}`, { names: listed(names) });
      return [line('hooks', hooks), line('agents', agents), line('notes', notes)].filter(Boolean).join(' ');
    }
    case 'hard-links':
      return t('notice.hardLinksText', { count: facts.links });
    case 'words-kept':
      return facts.said.join(' · ');
    case 'note-wants':
      return t('notice.noteWantsText');
    case 'not-run-again':
      return t('notice.notRunAgainText', { reason: facts.reason });
    case 'not-retried':
      return facts.reason ?? t('notice.tooLate');
    case 'fault':
      return t('notice.faultDetail');
    case 'call-ended': {
      const call = `${facts.server} · ${facts.tool}`;
      return facts.note === null
        ? t('notice.callSaid', { call, text: facts.text })
        : t('notice.callIn', { call, note: facts.note });
    }
  }
}
