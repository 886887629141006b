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
  on(event: 'second-instance', listener: (event: unknown, words: string[]) => void): unknown;
}

/**
 * Hands on links that the system gives to the app: with its start, to the one that runs, and on macOS by an event. What
 * comes of one is the page's to say, which only ever opens a note or fills in a form.
 */
export function followLinks({
  app,
  isInstalled,
  words,
  onLink,
  onSecond,
}: {
  app: LinkSource;
  /** A program that is being developed does not take the scheme from the installed one. */
  isInstalled: boolean;
  words: readonly string[];
  onLink(link: string): void;
  /** The app was started once more, without a link. */
  onSecond(): void;
}): void {
  if (isInstalled) app.setAsDefaultProtocolClient('interlinear');
  app.on('open-url', (event, url) => {
    event.preventDefault();
    const link = linkIn([url]);
    if (link !== null) onLink(link);
  });
  app.on('second-instance', (_event, given) => {
    const link = linkIn(given);
    if (link === null) onSecond();
    else onLink(link);
  });
  const first = linkIn(words);
  if (first !== null) onLink(first);
}
