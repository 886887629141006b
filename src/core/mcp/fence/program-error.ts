/** Why a server could not be started or talked to, in words for a person; `client/failures` decides what it means. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError';
  readonly kind: 'not-found' | 'no-folder' | 'not-allowed' | 'ended' | 'too-long' | 'broken' | 'other';
  constructor(kind: ProgramError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
