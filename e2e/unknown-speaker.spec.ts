import { note, test } from './support/answers';
import { expect } from './support/fixtures';

test.use({
  notes: {
    'Talk.md':
      '#User : What did she say?\n#todo buy milk\n\n#Zed : I was another model, on another machine. See [[Diary]].\n\n#User : And now?\n',
    'Recipe.md': '# Cake\n\n#Zutaten : Mehl\n',
  },
});

test('a tag that nobody here has is shown as an unknown speaker, and in a note without a conversation as it is', async ({
  app,
}) => {
  await app.openNote('Talk');
  const unknown = note(app).locator('.cm-speaker-unknown');
  await expect(unknown).toHaveCount(1);
  await expect(unknown).toContainText('Zed');
  await expect(unknown).toContainText('unknown speaker');
  await expect(note(app).locator('.cm-speaker-user')).toHaveCount(2);
  await app.openNote('Recipe');
  await expect(note(app).locator('.cm-content')).toContainText('#Zutaten : Mehl');
  await expect(note(app).locator('.cm-speaker')).toHaveCount(0);
});
