import { createHash, randomUUID } from 'node:crypto';
import { AppError } from '../../../contract/errors';
import type { CatalogTool } from '../../mcp';

const salt = randomUUID();

/** Says of this run of the app whether a tool is the one that a person was shown; nobody can try secrets on it. */
export const toolRevision = ({ definition, origin }: Pick<CatalogTool, 'definition' | 'origin'>): string =>
  createHash('sha256').update([salt, definition, origin].join('\n')).digest('base64url').slice(0, 22);

export const toolChanged = (tool: string): AppError<'tool.changed'> =>
  new AppError('tool.changed', `“${tool}” is not what you were shown any more. Look at what it is now.`, {
    tool,
  });
