/** What can show the person something. */
export interface Opener {
  show(): void;
  showLink(link: string): void;
  /** Absolute path. */
  showNote(path: string): void;
}

/** Links and notes that the system gives to the app. Before there is a window the last of them waits for it. */
export interface OpenRequests {
  link(link: string): void;
  note(path: string): void;
  /** Nothing in particular: the window, if there is one. */
  app(): void;
  connect(opener: Opener): void;
  /** What waited, else the window as it was. */
  showFirst(): void;
}

export function createOpenRequests(): OpenRequests {
  let opener: Opener | null = null;
  let waiting: ((opener: Opener) => void) | null = null;

  function open(show: (opener: Opener) => void): void {
    if (opener) show(opener);
    else waiting = show;
  }

  return {
    link: (link) => open((to) => to.showLink(link)),
    note: (path) => open((to) => to.showNote(path)),
    app: () => opener?.show(),
    connect(to) {
      opener = to;
    },
    showFirst() {
      const show = waiting ?? ((to: Opener) => to.show());
      if (opener) show(opener);
    },
  };
}
