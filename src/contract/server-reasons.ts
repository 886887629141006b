import './no-eval';
import * as z from 'zod';
import { SerializedError } from './errors';
import { faultWords, ServerFault } from './server-faults';

/** Something that has a name already, such as a setting that is wrong. */
const failure = z.object({ code: z.literal('failure'), error: SerializedError });

/** Why a server is as it is. */
export type ServerReason = ServerFault | z.infer<typeof failure>;
export const ServerReason: z.ZodType<ServerReason> = z.union([failure, ServerFault]);

/** In English: for logs, models and the command line. Screens have words of their own for each code. */
export const reasonWords = (reason: ServerReason): string =>
  reason.code === 'failure' ? reason.error.message : faultWords(reason);
