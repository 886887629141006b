export interface ThirdPartyNotice {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly license: string;
  readonly text: string;
}

/** The packages that the app is built from. They are listed when it is built: a development server has no list. */
export async function fetchNotices(): Promise<readonly ThirdPartyNotice[]> {
  const answer = await fetch('/third-party-notices.json');
  if (!answer.ok) throw new Error(`There is no list of packages (${answer.status}).`);
  return (await answer.json()) as ThirdPartyNotice[];
}
