import { X } from 'lucide-react';
import type { NoticeFacts } from '../../contract/app';
import { Button, Callout, IconButton } from '../ui';
import { Answers } from './Answers';
import { useAction } from './core';
import { failureText } from './failure';
import { useLayout } from './layout';
import { noticeDetail, noticeTitle } from './notice-words';
import { t } from './text';
import './trust.css';

interface NoteConsentProps {
  facts: Extract<NoticeFacts, { code: 'note-allows' }>;
  onDismiss(): void;
}

/** What a note lets run without a yes, whole, before the person agrees to exactly that. */
export function NoteConsent({ facts, onDismiss }: NoteConsentProps) {
  const agree = useAction('chat.agreeToNote');
  const openNote = useLayout((layout) => layout.openNote);
  const { note, agent, words } = facts;
  return (
    <Callout
      tone="warn"
      title={noticeTitle(facts)}
      actions={
        <>
          <Button size="s" onClick={() => openNote(note)}>
            {t('notice.showNote')}
          </Button>
          <Answers>
            <Button
              size="s"
              look="primary"
              busy={agree.isPending}
              onClick={() => agree.mutate({ path: note, agent, words })}
            >
              {t('notice.agreeToNote')}
            </Button>
          </Answers>
          <IconButton size="s" icon={X} label={t('ui.dismiss')} onClick={onDismiss} />
        </>
      }
    >
      {noticeDetail(facts)}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard. */}
      <section className="brought" tabIndex={0} aria-label={t('notice.noteAllowsList')}>
        <pre>
          <span>{words}</span>
        </pre>
      </section>
      {agree.error && <p className="failure">{failureText(agree.error)}</p>}
    </Callout>
  );
}
