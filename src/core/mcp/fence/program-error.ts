import { faultWords, type Trouble } from '../../../contract/server-faults';

/** Why a server could not be started or talked to; `client/failures` decides what it means. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError';
  fault: Trouble;
  constructor(fault: Trouble, options?: ErrorOptions) {
    super(faultWords(fault), options);
    this.fault = fault;
  }
}
