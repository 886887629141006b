import type { CallToolResult, McpServer, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type Failure, toFailure } from '../../entities/base/failures';
import type { Seen } from '../../entities/entity/handed-out/seen';

export interface Tool {
  readonly name: string;
  register(
    server: McpServer,
    around: {
      readonly before: () => Promise<void>;
      /** Around what only reads. */
      readonly readAtOnce: <T>(read: () => Promise<T>) => Promise<T>;
      readonly seen: Seen;
      /** Hears of errors that callers are not told the insides of. */
      readonly report: (error: unknown) => void;
    },
  ): void;
}

type Annotations = Required<Omit<ToolAnnotations, 'title'>>;

export const reads: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/**
 * One tool: schemas, and a function that answers or throws. Arguments are checked here and not by the library, which
 * would answer with a text where callers are promised `{code, message, field?, hint?}`.
 */
export function defineTool<I extends z.ZodType, O extends z.ZodObject>(tool: {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: I;
  readonly output: O;
  readonly annotations: Annotations;
  readonly run: (input: z.output<I>, seen: Seen) => Promise<z.input<O>>;
}): Tool {
  const { name, title, description, input, output, annotations } = tool;
  const config = {
    title,
    description,
    inputSchema: described(terse(z.toJSONSchema(input, { io: 'input' }))),
    outputSchema: described(terse(z.toJSONSchema(output, { io: 'input' }), deepestOutput)),
    annotations,
  };
  return {
    name,
    register: (server, { before, readAtOnce, seen, report }) => {
      server.registerTool(name, config, async (values: unknown): Promise<CallToolResult> => {
        try {
          const checked = input.parse(values);
          await before();
          const run = () => tool.run(checked, seen);
          const answer = output.parse(await (annotations.readOnlyHint ? readAtOnce(run) : run()));
          return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
        } catch (error) {
          const failure = withHint(toFailure(error), error, input);
          if (failure.code === 'internal') report(error);
          return { content: [{ type: 'text', text: JSON.stringify(failure) }], isError: true };
        }
      });
    },
  };
}

/** An argument that is not known belongs somewhere else, or is another one. */
function withHint(failure: Failure, error: unknown, input: z.ZodType): Failure {
  const unknown =
    error instanceof z.ZodError && error.issues.find(({ code }) => code === 'unrecognized_keys');
  if (!unknown || unknown.path.length > 0 || !(input instanceof z.ZodObject)) return failure;
  const names = Object.keys(input.shape);
  const fields = names.includes('id') ? 'Fields of the entity, archived and cascade' : 'Fields of the entity';
  const inside = names.includes('data') ? ` ${fields} go into data.` : '';
  return { ...failure, hint: `It takes: ${names.join(', ')}.${inside}` };
}

/** The schema as callers see it, made once; checking is done above. */
function described(schema: Record<string, unknown>) {
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'interlinear',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}

/** Objects below are said to be objects, and no more. */
const deepestOutput = 1;

/** Without what tells a model nothing: every word of a definition is paid for in every request. */
function terse(schema: unknown, levels = Number.POSITIVE_INFINITY, isNames = false): Record<string, unknown> {
  if (levels <= 0 && !isNames) return { type: (schema as { type?: unknown }).type };
  const entries = Object.entries(schema as Record<string, unknown>).filter(
    ([key, value]) =>
      isNames || !(isNoise(key, value) || (levels <= deepestOutput && isSeenInAnswers(key, value))),
  );
  return Object.fromEntries(
    entries.map(([key, value]) => {
      const names = !isNames && key === 'properties';
      return [key, isObject(value) ? terse(value, names ? levels - 1 : levels, names) : value];
    }),
  );
}

/** What is sure to be in an answer, and what lists hold that tell no more of it. */
function isSeenInAnswers(key: string, value: unknown): boolean {
  return key === 'required' || (key === 'items' && isObject(value) && !('properties' in value));
}

function isNoise(key: string, value: unknown): boolean {
  return (
    key === '$schema' ||
    key === 'additionalProperties' ||
    key === 'propertyNames' ||
    (key === 'minimum' && value === 1) ||
    (key === 'default' && value === false) ||
    value === Number.MAX_SAFE_INTEGER ||
    value === Number.MIN_SAFE_INTEGER ||
    (isObject(value) && Object.keys(value).length === 0) ||
    /^(?:min|max)(?:Length|Items)$/.test(key)
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
