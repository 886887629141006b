import { noteIn } from './open-file';

const scheme = 'interlinear:';
const longest = 64 * 1024;

/** Our link among the words that the system starts the app with; everything else there is left alone. */
export function linkIn(words: readonly string[]): string | null {
  const link = words.findLast((word) => word.toLowerCase().startsWith(`${scheme}//`));
  return link !== undefined && link.length <= longest && URL.canParse(link) ? link : null;
}

interface LinkSource {
  setAsDefaultProtocolClient(scheme: string): boolean;
  on(event: 'open-url', listener: (event: { preventDefault(): void }, url: string) => void): unknown;
  on(event: 'open-file', listener: (event: { preventDefault(): void }, path: string) => void): unknown;
  on(event: 'second-instance', listener: (event: unknown, words: string[], folder: string) => void): unknown;
}

/**
 * Hands on links and notes that the system gives to the app: with its start, to the one that runs, and on macOS by an
 * event. What comes of a link is the page's to say, which only ever opens a note or fills in a form.
 */
export function openAddresses({
  app,
  isInstalled,
  words,
  workingFolder,
  onLink,
  onNote,
  onSecond,
}: {
  app: LinkSource;
  /** A program that is being developed does not take the scheme from the installed one. */
  isInstalled: boolean;
  words: readonly string[];
  /** Where it was started. */
  workingFolder: string;
  onLink(link: string): void;
  /** `path` is absolute, and of a file that is there. */
  onNote(path: string): void;
  /** The app was started once more, without a link or a note. */
  onSecond(): void;
}): void {
  if (isInstalled) app.setAsDefaultProtocolClient('interlinear');
  app.on('open-url', (event, url) => {
    event.preventDefault();
    const link = linkIn([url]);
    if (link !== null) onLink(link);
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    const note = noteIn([path], workingFolder);
    if (note !== null) onNote(note);
  });
  /** False where there is nothing to open among them. */
  const open = (args: readonly string[], folder: string): boolean => {
    const [link, note] = [linkIn(args), noteIn(args, folder)];
    if (link !== null) onLink(link);
    else if (note !== null) onNote(note);
    return link !== null || note !== null;
  };
  app.on('second-instance', (_event, args, folder) => {
    if (!open(args, folder)) onSecond();
  });
  open(words, workingFolder);
}
