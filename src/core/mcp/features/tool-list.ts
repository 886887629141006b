import { z } from 'zod';
import { jsonFault } from '../../../contract/json';
import type { RejectedTool } from '../../../contract/rejected-tools';
import type { ToolAnnotations } from '../../../contract/tools';
import { schemaExcess } from '../../foundation';
import { hashOf } from '../config/server-config';
import { createIconShare } from './icons';
import type { DescribedTool } from './tool';
import { toolHeaders } from './tool-headers';
import { readToolView } from './views';

export interface ListedTool extends DescribedTool {
  /** Whether it can, or has to, be called as a task (revision 2025-11-25). */
  readonly taskSupport: 'forbidden' | 'optional' | 'required';
}

export interface ToolList {
  readonly tools: readonly ListedTool[];
  readonly rejected: readonly RejectedTool[];
}

type Rejection = RejectedTool['reason'];

const Schema = z.record(z.string(), z.unknown());
const Tool = z.looseObject({
  name: z.string().min(1).max(256),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  inputSchema: Schema,
  outputSchema: Schema.nullish().catch(null),
  annotations: z
    .looseObject({
      title: z.string().optional().catch(undefined),
      readOnlyHint: z.boolean().optional().catch(undefined),
      destructiveHint: z.boolean().optional().catch(undefined),
      idempotentHint: z.boolean().optional().catch(undefined),
      openWorldHint: z.boolean().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  icons: z.unknown().optional(),
  _meta: z.looseObject({}).optional().catch(undefined),
  execution: z
    .looseObject({ taskSupport: z.enum(['forbidden', 'optional', 'required']).catch('forbidden') })
    .optional()
    .catch(undefined),
});

/** Reads each tool by itself: one that cannot be used is reported and the others stay. */
export function readTools(raw: readonly unknown[], era: 'legacy' | 'modern'): ToolList {
  const tools = new Map<string, ListedTool>();
  const rejected: RejectedTool[] = [];
  const iconOf = createIconShare();
  const unfitting = ({ name, inputSchema }: ListedTool): Rejection | null => {
    const headers = era === 'legacy' ? [] : toolHeaders(inputSchema);
    if ('code' in headers) return headers;
    return tools.has(name) ? { code: 'name-twice' } : null;
  };
  for (const [index, item] of raw.entries()) {
    const result = readTool(item, iconOf);
    const reason = 'code' in result ? result : unfitting(result);
    if (reason !== null) rejected.push({ tool: nameOf(item), number: index + 1, reason });
    else if (!('code' in result)) tools.set(result.name, result);
  }
  return { tools: [...tools.values()], rejected };
}

function readTool(raw: unknown, iconOf: ReturnType<typeof createIconShare>): ListedTool | Rejection {
  const schema = typeof raw === 'object' && raw !== null && 'inputSchema' in raw ? raw.inputSchema : null;
  const excess = schemaExcess(schema);
  if (excess !== null) return { code: 'schema-size', ...excess };
  const fault = jsonFault(schema);
  if (fault !== null) return { code: 'no-json', fault };
  const parsed = Tool.safeParse(raw);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { code: 'form', at: issue?.path.join('.') || 'tool', text: issue?.message ?? '' };
  }
  const { name, title, description = '', inputSchema, annotations } = parsed.data;
  if ('type' in inputSchema && inputSchema.type !== 'object') return { code: 'schema-type' };
  const output = parsed.data.outputSchema ?? null;
  const isUsable = output !== null && schemaExcess(output) === null && jsonFault(output) === null;
  const outputSchema = isUsable ? output : null;
  const claims: ToolAnnotations = {
    ...(annotations?.readOnlyHint !== undefined && { readOnly: annotations.readOnlyHint }),
    ...(annotations?.destructiveHint !== undefined && { destructive: annotations.destructiveHint }),
    ...(annotations?.idempotentHint !== undefined && { idempotent: annotations.idempotentHint }),
    ...(annotations?.openWorldHint !== undefined && { openWorld: annotations.openWorldHint }),
  };
  const view = readToolView(parsed.data._meta);
  const icon = iconOf(parsed.data.icons);
  const shownTitle = title ?? annotations?.title ?? name;
  const described = { name, description, inputSchema, outputSchema, annotations: claims, ...view };
  return {
    ...described,
    title: shownTitle,
    ...(icon !== null && { icon }),
    taskSupport: parsed.data.execution?.taskSupport ?? 'forbidden',
    // All that a person is asked with. A title that is its name says nothing more.
    definition: hashOf(shownTitle === name ? described : { ...described, title: shownTitle }),
  };
}

const nameOf = (raw: unknown): string | null =>
  typeof raw === 'object' && raw !== null && 'name' in raw && typeof raw.name === 'string' && raw.name !== ''
    ? raw.name.slice(0, 256)
    : null;
