import type { CallToolResult, McpServer, ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { toFailure } from '../failures';

export interface Tool {
  readonly name: string;
  /** `report` hears of errors that callers are not told the insides of. */
  register(server: McpServer, report: (error: unknown) => void): void;
}

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
  readonly annotations: Required<Omit<ToolAnnotations, 'title'>>;
  readonly run: (input: z.output<I>) => Promise<z.input<O>>;
}): Tool {
  const { name, title, description, input, output, annotations } = tool;
  const unchecked = { ...input['~standard'], validate: (value: unknown) => ({ value }) };
  const config = {
    title,
    description,
    inputSchema: { '~standard': unchecked },
    outputSchema: output,
    annotations,
  };
  return {
    name,
    register: (server, report) => {
      server.registerTool(name, config, async (given: unknown): Promise<CallToolResult> => {
        try {
          const answer = output.parse(await tool.run(input.parse(given)));
          return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
        } catch (error) {
          const failure = toFailure(error);
          if (failure.code === 'internal') report(error);
          return { content: [{ type: 'text', text: JSON.stringify(failure) }], isError: true };
        }
      });
    },
  };
}
