import type { Locator } from '@playwright/test';
import { type AppUnderTest, expect } from './fixtures';

/** What a button is promised to do: presses it, and looks at what has come of it. */
export type Press = (button: Locator, app: AppUnderTest) => Promise<void>;

/** Something with buttons, in one state. */
export interface ButtonState {
  /** Brings it about anew, for one button, and gives the part of the screen that holds its buttons. */
  show(app: AppUnderTest, forButton: string): Promise<Locator>;
  readonly buttons: Readonly<Record<string, Press>>;
}

const pressed = ['button', '[role="switch"]', '[role^="menuitem"]'];
const buttonsIn = (root: Locator) => root.locator(pressed.map((one) => `${one}:visible`).join(', '));

/** What each button is called: its label, what it does where its words are its content, else its words without the keys beside them. */
const namesIn = (root: Locator) =>
  buttonsIn(root).evaluateAll((found) =>
    found.map((one) => {
      if (one.className.includes('cm-') && one instanceof HTMLElement) return one.title;
      const copy = one.cloneNode(true) as HTMLElement;
      for (const beside of copy.querySelectorAll('.ui-keys, [aria-hidden="true"]')) beside.remove();
      const label = one instanceof HTMLButtonElement ? one.labels[0]?.textContent : null;
      return (one.getAttribute('aria-label') ?? label ?? copy.textContent ?? '').replace(/\s+/g, ' ').trim();
    }),
  );

/** Every button of the state stands in its table, and every row of the table does what it says. */
export async function pressAll(app: AppUnderTest, name: string, state: ButtonState): Promise<void> {
  const listed = Object.keys(state.buttons).sort();
  for (const [words, press] of Object.entries(state.buttons)) {
    const root = await state.show(app, words);
    await expect
      .poll(async () => [...new Set(await namesIn(root))].sort(), { message: `the buttons of ${name}` })
      .toEqual(listed);
    await press(buttonsIn(root).nth((await namesIn(root)).indexOf(words)), app);
  }
}

/** Opens a note by its name, wherever its folder is in the tree. */
export async function openByName({ page }: AppUnderTest, name: string): Promise<void> {
  const note = page.locator(`section.note[aria-label=${JSON.stringify(`${name}.md`)}]`);
  if (await note.isVisible()) return;
  await page.keyboard.press('ControlOrMeta+o');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
  await page.keyboard.insertText(name);
  await expect(page.getByRole('option', { selected: true })).toContainText(name);
  await page.keyboard.press('Enter');
  await expect(note).toHaveAttribute('aria-busy', 'false');
}
