import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Button, Callout } from '../../ui';

/** Why an answer did not come, and the way to ask again. */
export function Failed({ error, again }: { error: unknown; again(): void }) {
  return (
    <Callout
      tone="bad"
      title={t('projects.failed')}
      actions={
        <Button size="s" onClick={again}>
          {t('ui.retry')}
        </Button>
      }
    >
      {failureText(error)}
    </Callout>
  );
}
