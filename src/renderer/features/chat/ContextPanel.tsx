import './context-panel.css';
import { FileText } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { OutputOf } from '../../../contract/define';
import { isAppError } from '../../../contract/errors';
import type { AppOperations } from '../../../contract/operations';
import { useCore } from '../../app/core';
import { Badge, EmptyState, ScrollArea } from '../../ui';
import { duration } from './extensions/callout-text';
import { type LentEditor, useOpenNote, useOpenNotes } from './open-notes';
import { type CallEntry, type HeadingEntry, outlineOf } from './outline';
import { useNoteKnowledge } from './use-note-knowledge';

type Preview = OutputOf<AppOperations['chat.preview']>;

/** What an answer asked for at the cursor would send, the note's tool calls, and its outline. */
export function ContextPanel({ path }: { path: string }) {
  const { lent } = useOpenNote(path);
  if (!lent) return <EmptyState icon={FileText} title="No note is open" />;
  return (
    <ScrollArea>
      <div className="context">
        <Sent path={path} lent={lent} />
        <Contents path={path} lent={lent} />
      </div>
    </ScrollArea>
  );
}

function Sent({ path, lent }: { path: string; lent: LentEditor }) {
  const { touched } = useOpenNote(path);
  const answerer = useOpenNotes(({ answerers }) => answerers.get(path));
  const core = useCore();
  const [preview, setPreview] = useState<Preview | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `touched` says that text or cursor have changed.
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const look = async () => {
      try {
        const place = await lent.place(signal);
        const tag = answerer ? { tag: answerer } : {};
        setPreview(await core.call('chat.preview', { path, ...place, ...tag }, { signal }));
        setProblem(null);
      } catch (error) {
        if (!signal.aborted) setProblem(isAppError(error) ? error.message : 'No preview just now.');
      }
    };
    void look();
    return () => leaving.abort();
  }, [core, path, lent, touched, answerer]);

  return (
    <section>
      <h3>What will be sent</h3>
      {problem ? <p className="context-quiet">{problem}</p> : preview && <PreviewFacts preview={preview} />}
    </section>
  );
}

function PreviewFacts({ preview }: { preview: Preview }) {
  const number = (value: number) => value.toLocaleString('en');
  return (
    <>
      <dl className="context-facts">
        <dt>To</dt>
        <dd>{preview.model ?? preview.provider ?? 'Nobody: choose a model first'}</dd>
        <dt>Turns</dt>
        <dd>{preview.turns}</dd>
        <dt>Text</dt>
        <dd>about {number(preview.estimatedTokens)} tokens</dd>
        <dt>Tools</dt>
        <dd>
          {preview.tools === 0 ? 'none' : `${preview.tools}, about ${number(preview.toolTokens)} tokens`}
        </dd>
      </dl>
      {preview.expanded.length > 0 && <h4>Linked notes, sent as text</h4>}
      <ul className="context-list">
        {preview.expanded.map(({ target, characters }) => (
          <li key={target}>
            <span>{target}</span>
            <small>{number(characters)} characters</small>
          </li>
        ))}
      </ul>
      {preview.attachments.length > 0 && <h4>Attached</h4>}
      <ul className="context-list">
        {preview.attachments.map(({ target, mediaType, bytes }) => (
          <li key={target}>
            <span>{target}</span>
            <small>
              {mediaType}, {number(Math.ceil(bytes / 1024))} KB
            </small>
          </li>
        ))}
      </ul>
      {preview.warnings.map((warning) => (
        <p key={warning} className="context-warning">
          {warning}
        </p>
      ))}
    </>
  );
}

/** Reading the whole note waits until the person pauses. */
const restDelay = 400;

function Contents({ path, lent }: { path: string; lent: LentEditor }) {
  const { touched } = useOpenNote(path);
  const { tags, servers } = useNoteKnowledge();
  const [found, setFound] = useState<{ headings: HeadingEntry[]; calls: CallEntry[] }>({
    headings: [],
    calls: [],
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `touched` says that the text has changed.
  useEffect(() => {
    const timer = setTimeout(() => setFound(outlineOf(lent.text(), tags, servers)), restDelay);
    return () => clearTimeout(timer);
  }, [lent, touched, tags, servers]);
  return (
    <>
      <section>
        <h3>Tool calls</h3>
        {found.calls.length === 0 && <p className="context-quiet">None in this note yet.</p>}
        <ul className="context-list">
          {found.calls.map((call) => (
            <li key={call.from}>
              <button type="button" onClick={() => lent.goTo(call.from)}>
                <span>
                  <span className="context-soft">{call.server}</span> {call.tool}
                </span>
                {call.state === 'ok' ? (
                  <small>{duration(call.ms)}</small>
                ) : (
                  <Badge tone={call.state === 'running' ? 'accent' : 'warn'}>{call.state}</Badge>
                )}
              </button>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h3>Outline</h3>
        {found.headings.length === 0 && <p className="context-quiet">No headings or turns.</p>}
        <ul className="context-list">
          {found.headings.map(({ from, level, role, text }) => (
            <li key={from} data-level={level}>
              <button type="button" onClick={() => lent.goTo(from)} data-role={role ?? undefined}>
                <span>{text}</span>
              </button>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
