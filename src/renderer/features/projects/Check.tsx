import { ArrowUpRight, CircleCheck, Wrench, X } from 'lucide-react';
import { useState } from 'react';
import type { OutputOf } from '../../../contract/define';
import { type ProjectFinding, type projectsOperations, workStatuses } from '../../../contract/projects';
import { useCore } from '../../base/core/core';
import { useForgetsMissed } from '../../base/core/missed';
import { useLayout } from '../../base/layout/layout';
import { failureText } from '../../base/text/error-words';
import { labelled, listed } from '../../base/text/format';
import { t } from '../../base/text/text';
import { Button, Callout, EmptyState, IconButton, ScrollArea, Spinner } from '../../ui';
import { Failed } from './Failed';
import { useChoice, useProject } from './use-project';
import { findingWords, pathWords, repairWords, statusWord } from './words';
import './check.css';

type Repaired = OutputOf<(typeof projectsOperations)['projects.repair']>;
type Done = OutputOf<(typeof projectsOperations)['projects.repairs']>[number];
type Outcome =
  | { readonly kind: 'done'; readonly repaired: Repaired }
  | { readonly kind: 'refused'; readonly why: string };

/** What is wrong in the notes of a project, each with a button that puts it right. One page: what was done last, and the list of findings. */
export function Check() {
  const core = useCore();
  const { data, error, refetch } = useProject('projects.check', {});
  const repairs = useProject('projects.repairs', {});
  const { dismissedRepair, set } = useChoice();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [busy, setBusy] = useState(false);
  const failed = useForgetsMissed(() => setOutcome(null));

  async function run(work: () => Promise<Outcome | null>): Promise<void> {
    setBusy(true);
    try {
      setOutcome(await work());
    } catch (thrown) {
      failed(thrown);
      setOutcome({ kind: 'refused', why: failureText(thrown) });
    } finally {
      setBusy(false);
      void refetch();
      void repairs.refetch();
    }
  }
  const repair = (findings: readonly ProjectFinding[]) =>
    run(async () => {
      const keys = findings.map(({ key }) => key);
      return { kind: 'done', repaired: await core.call('projects.repair', { keys }) };
    });
  const takeBack = (undo: string) =>
    run(async () => {
      await core.call('projects.undoRepair', { undo });
      return null;
    });

  if (error && !data) return <Failed error={error} again={refetch} />;
  if (!data) return <Spinner size={20} />;
  const repairable = data.filter(({ withAll }) => withAll);
  const alone = data.filter(({ repair }) => repair !== null).length - repairable.length;
  const [last] = repairs.data ?? [];
  return (
    <ScrollArea className="check" aria-label={t('projects.check')}>
      {outcome ? (
        <Told
          outcome={outcome}
          busy={busy}
          onUndo={takeBack}
          onClose={() => {
            setOutcome(null);
            set({ dismissedRepair: last?.undo ?? null });
          }}
        />
      ) : (
        last &&
        last.undo !== dismissedRepair && (
          <Last
            repair={last}
            busy={busy}
            onUndo={takeBack}
            onClose={() => set({ dismissedRepair: last.undo })}
          />
        )
      )}
      {data.length === 0 ? (
        <EmptyState icon={CircleCheck} title={t('check.none')} text={t('check.noneText')} />
      ) : (
        <>
          <header className="check-head">
            <div>
              <h2>{t('check.found', { count: data.length })}</h2>
              <p>{t('check.intro')}</p>
              {repairable.length > 1 && alone > 0 && <p>{t('check.alone', { count: alone })}</p>}
            </div>
            {repairable.length > 1 && (
              <Button busy={busy} onClick={() => void repair(repairable)}>
                {t('check.all', { count: repairable.length })}
              </Button>
            )}
          </header>
          <ul className="check-list">
            {data.map((finding) => (
              <Row key={finding.key} finding={finding} busy={busy} onRepair={() => void repair([finding])} />
            ))}
          </ul>
        </>
      )}
    </ScrollArea>
  );
}

const mostPaths = 3;

/** What was repaired before this page was last left. */
function Last(props: { repair: Done; busy: boolean; onUndo(undo: string): void; onClose(): void }) {
  const { repair, busy, onUndo, onClose } = props;
  const { fixed, paths, undo } = repair;
  const names = paths.slice(0, mostPaths).map((path) => path.slice(path.lastIndexOf('/') + 1));
  return (
    <Callout
      title={t('check.repaired', { count: fixed })}
      actions={
        <>
          <Button size="s" busy={busy} onClick={() => onUndo(undo)}>
            {t('check.undo')}
          </Button>
          <IconButton icon={X} size="s" label={t('ui.dismiss')} onClick={onClose} />
        </>
      }
    >
      {t('check.undoLast', { paths: `${listed(names)}${paths.length > mostPaths ? ' …' : ''}` })}
    </Callout>
  );
}

function Told(props: { outcome: Outcome; busy: boolean; onUndo(undo: string): void; onClose(): void }) {
  const { outcome, busy, onUndo, onClose } = props;
  const close = <IconButton icon={X} size="s" label={t('ui.dismiss')} onClick={onClose} />;
  if (outcome.kind === 'refused') {
    return (
      <Callout tone="bad" actions={close}>
        {outcome.why}
      </Callout>
    );
  }
  const { fixed, failed, undo } = outcome.repaired;
  return (
    <Callout
      tone={failed.length > 0 ? 'warn' : 'good'}
      title={t('check.repaired', { count: fixed })}
      actions={
        <>
          {undo !== null && (
            <Button size="s" busy={busy} onClick={() => onUndo(undo)}>
              {t('check.undo')}
            </Button>
          )}
          {close}
        </>
      }
    >
      {failed.length > 0 &&
        [t('check.failed', { count: failed.length }), ...failed.slice(0, 5).map(({ reason }) => reason)].join(
          '\n',
        )}
    </Callout>
  );
}

const isNoNote = new Set<ProjectFinding['code']>([
  'unusable_name',
  'hidden',
  'dead_link',
  'no_file',
  'damaged_record',
  'half_done',
  'damaged_canvas',
  'dead_node',
  'double_node',
  'loose_edge',
]);

/** What a person has to do; where it is no note, what is wrong says it. */
function byHand({ code, id }: ProjectFinding): string {
  if (isNoNote.has(code)) return '';
  const isWork = /^[MST]-/.test(id ?? '');
  if (code !== 'invalid_status' || !isWork) return t('check.byHand');
  return t('check.byHandStatus', { all: listed(workStatuses.map(statusWord)) });
}

function Row({ finding, busy, onRepair }: { finding: ProjectFinding; busy: boolean; onRepair(): void }) {
  const openNote = useLayout((layout) => layout.openNote);
  const { id, path, repair, code } = finding;
  const isToBeSeen = code === 'half_undone' || code === 'half_done';
  const words = isToBeSeen ? t('check.seen') : repair ? repairWords(repair) : byHand(finding);
  return (
    <li className="check-row">
      <div className="check-text">
        <span>
          {id !== null && <span className="entity-id">{id}</span>} {findingWords(finding)}
        </span>
        {isNoNote.has(code) ? (
          <small className="check-place">{pathWords(path)}</small>
        ) : (
          <button type="button" className="text-link check-path" onClick={() => openNote(path)}>
            <span>{path}</span>
            <ArrowUpRight size={12} strokeWidth={1.75} aria-hidden />
          </button>
        )}
      </div>
      <span className="check-plan">{words}</span>
      {repair && (
        <Button
          size="s"
          waiting={busy}
          onClick={onRepair}
          aria-label={labelled(t('check.repair'), listed([path, words]))}
        >
          <Wrench size={13} strokeWidth={1.75} aria-hidden />
          {t('check.repair')}
        </Button>
      )}
    </li>
  );
}
