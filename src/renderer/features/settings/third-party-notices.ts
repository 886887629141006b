export interface ThirdPartyNotice {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly license: string;
  readonly text: string;
}

/** The packages that the app is built from. They are listed when it is built: a development server has no list, so null. */
export async function fetchNotices(): Promise<readonly ThirdPartyNotice[] | null> {
  const answer = await fetch('/third-party-notices.json');
  const isList = answer.ok && answer.headers.get('content-type')?.includes('json');
  if (!isList) return null;
  return (await answer.json()) as ThirdPartyNotice[];
}
