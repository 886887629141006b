export interface Document {
  readonly path: string;
  readonly text: string;
  readonly hash: string;
}
