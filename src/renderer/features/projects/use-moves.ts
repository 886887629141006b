import { useEffect, useRef, useState } from 'react';
import type { EntityBrief } from '../../../contract/projects';
import { useCore } from '../../base/core/core';
import { useForgetsMissed } from '../../base/core/missed';
import { untilSent } from '../../base/core/unsent';
import { failureText } from '../../base/text/error-words';
import { labelled } from '../../base/text/format';
import { t } from '../../base/text/text';
import type { HeldCard } from './held-card';
import { statusWord } from './words';

export interface Moves {
  /** The cards as the person has put them. */
  readonly cards: readonly EntityBrief[];
  /** What the last move came to, for who listens. */
  readonly announcement: string;
  readonly refused: { readonly id: string; readonly why: string } | null;
  forgetRefusal(): void;
  /** Where it was put last, also before that is drawn. */
  statusOf(card: HeldCard): string;
  /** The card is as the person saw it when the move began: what came since is not overwritten. */
  move(card: HeldCard, status: string): void;
}

/** Where a person put a card, until the list tells of it. */
interface Moved {
  readonly status: string;
  readonly saving: boolean;
  /** Revisions of before, which the list may still show. */
  readonly passed: ReadonlySet<string>;
}

/** Moves show at once and are saved one after the other; one that is refused goes back and says why. One closure, since each move goes on from what the one before left. */
export function useMoves(all: readonly EntityBrief[]): Moves {
  const core = useCore();
  const [moved, setMoved] = useState<ReadonlyMap<string, Moved>>(new Map());
  const [announcement, setAnnouncement] = useState('');
  const [refused, setRefused] = useState<Moves['refused']>(null);
  const failed = useForgetsMissed(() => setRefused(null));
  const waiting = useRef(new Map<string, string[]>());
  /** The newest revision that is known here: the list may come later than the answer. */
  const saved = useRef(new Map<string, { from: ReadonlySet<string>; to: string }>());

  const put = useRef(new Map<string, string>());

  const forget = (id: string) => {
    put.current.delete(id);
    setMoved((before) => {
      const after = new Map(before);
      after.delete(id);
      return after;
    });
  };

  // What has arrived from the disk is no guess any more.
  useEffect(() => {
    for (const { id, revision } of all) {
      const own = moved.get(id);
      if (own && !own.saving && !own.passed.has(revision)) forget(id);
    }
  });

  async function save(id: string, first: string, statuses: string[]): Promise<void> {
    const passed = new Set([...(saved.current.get(id)?.from ?? []), first]);
    let revision = first;
    try {
      for (let status = statuses[0]; status !== undefined; status = statuses[0]) {
        const { entity } = await untilSent(core.call('projects.update', { id, data: { status }, revision }));
        setAnnouncement(t('board.moved', { id, status: statusWord(status) }));
        statuses.shift();
        if (entity.revision === revision) continue;
        passed.add(revision);
        revision = entity.revision;
        passed.delete(revision);
      }
      saved.current.set(id, { from: passed, to: revision });
      setMoved((before) => {
        const own = before.get(id);
        return own ? new Map(before).set(id, { ...own, saving: false, passed }) : before;
      });
    } catch (error) {
      forget(id);
      failed(error);
      setRefused({ id, why: failureText(error) });
      setAnnouncement(labelled(t('board.refused', { id }), failureText(error)));
    } finally {
      waiting.current.delete(id);
    }
  }

  function move({ id, revision }: HeldCard, status: string): void {
    setRefused(null);
    put.current.set(id, status);
    setMoved((before) => new Map(before).set(id, { status, saving: true, passed: new Set() }));
    const queue = waiting.current.get(id);
    if (queue) {
      queue.push(status);
      return;
    }
    const begun = [status];
    waiting.current.set(id, begun);
    const last = saved.current.get(id);
    void save(id, last?.from.has(revision) ? last.to : revision, begun);
  }

  const statusOf = (card: HeldCard) => put.current.get(card.id) ?? card.status;

  return {
    statusOf,
    cards: all.map((card) => {
      const own = moved.get(card.id);
      return own && (own.saving || own.passed.has(card.revision)) ? { ...card, status: own.status } : card;
    }),
    announcement,
    refused,
    forgetRefusal: () => setRefused(null),
    move: (card, status) => {
      if (statusOf(card) !== status) move(card, status);
    },
  };
}
