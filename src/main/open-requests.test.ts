import { expect, test } from 'vitest';
import { createOpenRequests, type Opener } from './open-requests';

function opener(): { shown: string[]; opener: Opener } {
  const shown: string[] = [];
  return {
    shown,
    opener: {
      show: () => void shown.push('window'),
      showLink: (link) => void shown.push(link),
      showNote: (path) => void shown.push(path),
    },
  };
}

test('a link or note that starts the app waits for its window; the last one counts', () => {
  const { shown, opener: to } = opener();
  const requests = createOpenRequests();
  requests.link('interlinear://a');
  requests.note('/vault/B.md');
  requests.app();
  requests.connect(to);
  expect(shown).toEqual([]);
  requests.showFirst();
  expect(shown).toEqual(['/vault/B.md']);
});

test('without one the window is shown; what is asked later is shown at once', () => {
  const { shown, opener: to } = opener();
  const requests = createOpenRequests();
  requests.connect(to);
  requests.showFirst();
  requests.link('interlinear://a');
  requests.app();
  expect(shown).toEqual(['window', 'interlinear://a', 'window']);
});
