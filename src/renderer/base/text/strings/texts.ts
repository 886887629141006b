/** English, Chinese. */
export type Texts = Readonly<Record<string, readonly [string, string]>>;
