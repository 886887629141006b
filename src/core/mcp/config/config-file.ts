import { dirname } from 'node:path';
import { parse } from 'jsonc-parser';
import { AppError } from '../../../contract/errors';
import {
  durableWrite,
  largestSetting,
  largestVaultSetting,
  makeSharedFolder,
  readFileAt,
} from '../../../files';
import { createOneAtATime, jsoncFault, watchFile } from '../../foundation';
import { applyEdit, type ConfigEdit } from './edit-jsonc';

export interface ConfigContent {
  /** The `mcpServers` map as written. */
  readonly servers: Readonly<Record<string, unknown>>;
  /** What a person changed about the server that comes with the app. */
  readonly bundled: Readonly<Record<string, unknown>>;
  /** Why the file cannot be read; the content is then what it was before. */
  readonly problem: string | null;
}

/** One `mcp.json`: JSON with comments, changed in place so that whatever is not ours stays as it was written. */
export interface ConfigFile {
  readonly path: string;
  content(): ConfigContent;
  load(): Promise<void>;
  /** Durably written when it resolves. Throws `mcp.invalid-config` where the file cannot be read. */
  edit(
    edits: readonly ConfigEdit[],
    /** Told before anybody hears of the change. */
    onWritten?: (before: ConfigContent, after: ConfigContent) => void,
  ): Promise<void>;
  close(): void;
}

const empty: ConfigContent = { servers: {}, bundled: {}, problem: null };
const start = '{\n  "mcpServers": {}\n}\n';

export function createConfigFile({
  path,
  isPrivate = false,
  locate = async () => path,
  onChange,
}: {
  path: string;
  /** For its owner alone. */
  isPrivate?: boolean;
  /** Where it really is; throws where that is not allowed. Asked before each reading and writing. */
  locate?: () => Promise<string>;
  onChange(): void;
}): ConfigFile {
  const inOrder = createOneAtATime();
  let content = empty;
  let text: string | null = null;
  const stopWatching = watchFile(path, () => void load());

  async function read(): Promise<string> {
    try {
      const text = await readFileAt(await locate(), isPrivate ? largestSetting : largestVaultSetting);
      return text.toString('utf8').replace(/^\uFEFF/, '');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw error;
    }
  }

  async function take(): Promise<void> {
    let source: string;
    try {
      source = await read();
    } catch (error) {
      text = null;
      content = { ...content, problem: error instanceof Error ? error.message : String(error) };
      onChange();
      return;
    }
    if (source === text) return;
    text = source;
    const result = parseConfig(source);
    content = typeof result === 'string' ? { ...content, problem: result } : result;
    onChange();
  }

  const load = () => inOrder(path, take);

  return {
    path,
    content: () => content,
    load,
    edit: (edits, onWritten) =>
      inOrder(path, async () => {
        const before = await read();
        const present = parseConfig(before);
        if (typeof present === 'string')
          throw new AppError('mcp.invalid-config', `${path} cannot be changed: ${present}`, {
            issues: [present],
          });
        const after = edits.reduce(applyEdit, before.trim() === '' ? start : before);
        const target = await locate();
        makeSharedFolder(dirname(target));
        await durableWrite(target, after, { private: isPrivate });
        const result = parseConfig(after);
        if (typeof result !== 'string') onWritten?.(present, result);
        await take();
      }),
    close: stopWatching,
  };
}

/** The content, or what is wrong with the text and where. */
function parseConfig(text: string): ConfigContent | string {
  if (text.trim() === '') return empty;
  const fault = jsoncFault(text, { allowTrailingComma: true });
  if (fault) {
    const before = text.slice(0, fault.offset).split('\n');
    return `Line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${fault.message}.`;
  }
  const value: unknown = parse(text, [], { allowTrailingComma: true });
  if (!isObject(value)) return 'Line 1, column 1: an object in braces is expected.';
  const { mcpServers = {}, bundled = {} } = value;
  if (!isObject(mcpServers)) return '“mcpServers” has to be an object in braces.';
  return { servers: mcpServers, bundled: isObject(bundled) ? bundled : {}, problem: null };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
