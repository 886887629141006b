/** Of a name that others choose: what every object has under it, such as `constructor`, is nothing. */
export const own = <T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
