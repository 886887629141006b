import type { NoticeFacts } from '../../contract/app';
import type { NotePower, PowerChange } from '../../contract/chat';
import { useAction } from '../base/core/core';
import { useLayout } from '../base/layout/layout';
import { Answers } from '../base/parts/Answers';
import { failureText } from '../base/text/error-words';
import { t } from '../base/text/text';
import { Button, Callout } from '../ui';
import { noticeDetail, noticeTitle } from './notice-words';
import { subjectWords, valueWords } from './power-words';
import '../base/parts/trust.css';
import './note-consent.css';

interface NoteConsentProps {
  facts: Extract<NoticeFacts, { code: 'note-wants' }>;
  onDecline(): void;
}

/** What a note wants beyond what is in force, whole, before the person agrees to exactly that. */
export function NoteConsent({ facts, onDecline }: NoteConsentProps) {
  const agree = useAction('chat.agreeToNote');
  const openNote = useLayout((layout) => layout.openNote);
  const { note, powers, changes } = facts;
  return (
    <Callout
      tone="warn"
      title={noticeTitle(facts)}
      actions={
        <>
          <Button size="s" onClick={() => openNote(note)}>
            {t('notice.showNote')}
          </Button>
          <Answers to={[note, ...powers.map(({ field, words }) => `${field} ${words}`)].join('\n')}>
            <Button
              size="s"
              look="primary"
              busy={agree.isPending}
              onClick={() => agree.mutate({ path: note, powers })}
            >
              {t('notice.agreeToNote')}
            </Button>
          </Answers>
          <Button size="s" onClick={onDecline}>
            {t('notice.leaveOut')}
          </Button>
        </>
      }
    >
      {noticeDetail(facts)}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard. */}
      <section className="contributions" tabIndex={0} aria-label={t('notice.noteWantsList')}>
        <Differences changes={changes} />
        {powers.filter(isWhole).map(({ field, words }) => (
          <pre key={field}>
            <span>{words}</span>
          </pre>
        ))}
      </section>
      {agree.error && <p className="failure">{failureText(agree.error)}</p>}
    </Callout>
  );
}

function Differences({ changes }: { changes: readonly PowerChange[] }) {
  return (
    <table className="note-asks">
      <thead>
        <tr>
          <td />
          <th scope="col">{t('power.now')}</th>
          <th scope="col">{t('power.wanted')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ what, now, wants }) => (
          <tr key={what}>
            <th scope="row">{subjectWords(what)}</th>
            <td>{valueWords(what, now)}</td>
            <td>{valueWords(what, wants)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** That tools run unasked is worth which tools, and by whose instructions. */
const isWhole = ({ field, words }: NotePower) => field === 'approval' && words.includes('\n');
