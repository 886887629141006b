import { UrlElicitationRequiredError } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { AppError } from '../../../contract/errors';
import { elicit, longestAddress, type ServerRequests } from './server-requests';

/**
 * A call that is refused until the person has done something in the browser (−32042, revision 2025-11-25): each page is
 * offered, opened only on consent, and the answer says what became of it. Null: the refusal has another reason.
 */
export async function offerVisits(
  error: unknown,
  { ask }: Pick<ServerRequests, 'ask'>,
  { serverId, signal }: { serverId: string; signal: AbortSignal },
): Promise<AppError | null> {
  if (!(error instanceof UrlElicitationRequiredError) || !ask) return null;
  const visits = readVisits(error.elicitations);
  if (visits === null) return null;
  let acceptances = 0;
  for (const visit of visits) {
    const { action } = await elicit(visit, ask, signal);
    if (action === 'accept') acceptances++;
  }
  const all = acceptances > 0 && acceptances === visits.length;
  const reason = all
    ? 'Something has to be done in the browser first; the page was opened. Call again once it is done.'
    : 'Something has to be done in the browser first, and the person did not want to.';
  return new AppError('mcp.protocol', reason, { serverId, reason });
}

/** More than a person would look at is not offered at all. */
const mostVisits = 10;
const Visits = z
  .array(
    z.object({
      mode: z.literal('url'),
      message: z.string(),
      elicitationId: z.string(),
      url: z.url({ protocol: /^https?$/ }).max(longestAddress),
    }),
  )
  .max(mostVisits);

const readVisits = (raw: unknown) =>
  Array.isArray(raw) && raw.length <= mostVisits ? (Visits.safeParse(raw).data ?? null) : null;
