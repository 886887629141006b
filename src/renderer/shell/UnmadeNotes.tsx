import { X } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useCore } from '../base/core/core';
import { useWhyNot } from '../base/core/why-not';
import { useTakenUp } from '../base/drafts/kept-drafts';
import { useLayout } from '../base/layout/layout';
import { makeNote } from '../base/layout/make-note';
import { type Unmade, unmadeOf, useTypedOn, useUnmade } from '../base/layout/unmade';
import { noteName } from '../base/text/format';
import { t } from '../base/text/text';
import { Button, Callout, ConfirmDialog, CopyButton, IconButton, TextArea } from '../ui';

/** Notes that could not be made. Whoever asked for one types on here, and makes it themselves once the app is back. */
export function UnmadeNotes({ vault }: { vault: string }) {
  const all = useUnmade((unmade) => unmade.all);
  useTakenUp(useUnmade, { start: unmadeOf(vault) });
  const own = Object.entries(all).filter(([name]) => name.startsWith(unmadeOf(vault)));
  return own.map(([name, unmade]) => <UnmadeNote key={name} name={name} unmade={unmade} />);
}

/** One callout for both, a note that was not made and one that was not shown, as they differ in words only. */
function UnmadeNote({ name, unmade }: { name: string; unmade: Unmade }) {
  const core = useCore();
  const put = useUnmade(({ put }) => put);
  const { writeInMade, insertInto } = useLayout();
  const goesOn = useTypedOn((typedOn) => typedOn.name === name);
  const whyNot = useWhyNot();
  const [discarding, setDiscarding] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!goesOn) return;
    useTypedOn.setState({ name: null });
    const area = box.current?.querySelector('textarea');
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, [goesOn]);

  const { what, why, text, path, isThere = false } = unmade;
  const title = isThere
    ? t('unmade.wordsFor', { name: noteName(path) })
    : what === ''
      ? t('unmade.words')
      : t(why === '' ? 'unmade.notDone' : 'unmade.failed', { what });
  const make = () => {
    const making = makeNote(core, unmade, text).then((note) => {
      if (note) put(name, null);
      return note;
    });
    writeInMade(making, 'end', () => unmade).catch(() => undefined);
  };
  const putIn = () =>
    insertInto(path, (editor) => {
      editor.focus();
      editor.type(text, text.length);
      put(name, null);
    });
  const about = isThere
    ? (['unmade.putBack', 'unmade.putAway'] as const)
    : (['unmade.back', 'unmade.away'] as const);
  return (
    <Callout
      tone="bad"
      title={title}
      actions={
        <>
          <Button
            size="s"
            look="primary"
            disabled={whyNot !== undefined}
            title={whyNot}
            onClick={isThere ? putIn : make}
          >
            {t(isThere ? 'unmade.put' : 'unmade.make')}
          </Button>
          {text !== '' && <CopyButton text={text} />}
          <IconButton
            size="s"
            icon={X}
            label={t(text === '' ? 'ui.dismiss' : 'draft.discard')}
            onClick={() => (text === '' ? put(name, null) : setDiscarding(true))}
          />
        </>
      }
    >
      {discarding && (
        <ConfirmDialog
          title={t('unmade.discardTitle')}
          text={t('unmade.discardText')}
          confirm={t('draft.discard')}
          cancel={t('unmade.keep')}
          danger
          onConfirm={() => put(name, null)}
          onClose={() => setDiscarding(false)}
        />
      )}
      {why !== '' && <p>{why}</p>}
      <p>{t(whyNot === undefined ? about[0] : about[1])}</p>
      <div ref={box} className="unmade-words">
        <TextArea
          aria-label={what === '' ? title : t('unmade.label', { what })}
          maxRows={6}
          value={text}
          onChange={(event) => put(name, { ...unmade, text: event.target.value })}
        />
      </div>
    </Callout>
  );
}
