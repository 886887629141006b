const failed = new Set<HTMLLinkElement>();
let renewing: Promise<void> | null = null;

/** A stylesheet that was once asked for is never asked for again by Vite, also where it did not come. */
export function noteFailedStyles(page: Document): void {
  const onError = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failed.add(target);
  };
  page.addEventListener('error', onError, { capture: true });
}

export function renewFailedStyles(): Promise<void> {
  if (failed.size === 0) return renewing ?? Promise.resolve();
  const links = [...failed];
  failed.clear();
  const mine = Promise.all([renewing, ...links.map(renewed)])
    .then(() => undefined)
    .finally(() => {
      if (renewing === mine) renewing = null;
    });
  renewing = mine;
  return mine;
}

function renewed(link: HTMLLinkElement): Promise<void> {
  const fresh = link.cloneNode() as HTMLLinkElement;
  return new Promise((loaded, lost) => {
    fresh.addEventListener('load', () => loaded());
    fresh.addEventListener('error', () => lost(new Error(`Unable to preload CSS for ${fresh.href}`)));
    link.replaceWith(fresh);
  });
}
