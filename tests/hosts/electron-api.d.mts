type Members = ReadonlySet<string>;
export function membersOf(name: string, options?: { fixed?: boolean }): Members;
export function eventsOf(name: string): Members;
export function strict(
  name: string,
  given: object,
  onUnknown: (problem: string) => void,
  options?: { fixed?: boolean },
): Record<string, unknown>;
