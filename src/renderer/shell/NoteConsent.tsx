import { X } from 'lucide-react';
import type { NoticeFacts } from '../../contract/app';
import { useAction } from '../base/core/core';
import { useLayout } from '../base/layout/layout';
import { Answers } from '../base/parts/Answers';
import { failureText } from '../base/text/error-words';
import { t } from '../base/text/text';
import { Button, Callout, IconButton } from '../ui';
import { noticeDetail, noticeTitle } from './notice-words';
import '../base/parts/trust.css';

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
