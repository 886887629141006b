import { ProgramError } from './program-error';

/** A server may send big results, but not without end. */
export const longestMessage = 64 * 1024 * 1024;

export const tooLong = (most: number) =>
  new ProgramError({ code: 'too-long', mebibytes: most / 1024 / 1024 });
