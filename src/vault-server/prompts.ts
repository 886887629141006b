import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const workstream = z.string().describe('Workstream').optional();

/** Three beginnings of work. */
export function registerPrompts(server: McpServer): void {
  server.registerPrompt(
    'plan_milestone',
    {
      title: 'Plan a milestone',
      description: 'Breaks a milestone, or a new goal, down into stories and tasks.',
      argsSchema: z.object({
        milestone_id: z.string().describe('An existing milestone').optional(),
        goal: z.string().describe('What shall be true when it is done').optional(),
        workstream,
      }),
    },
    (values) =>
      userMessage(`Plan ${values.milestone_id ? `milestone ${values.milestone_id}` : 'a new milestone'}${values.goal ? `: ${values.goal}` : ''}${inside(values.workstream)}.

1. Look with get_project_overview and search_entities for what exists already; read the milestone and what it depends on.
2. Propose at most seven stories with acceptance criteria, and tasks of at most two days each, with what depends on what. Name open decisions.
3. After I agree, write all of it with one batch_update: milestone first, client_ids for parents and dependencies.`),
  );

  server.registerPrompt(
    'weekly_review',
    {
      title: 'Weekly review',
      description: 'What moved, what is stuck, what comes next.',
      argsSchema: z.object({ workstream }),
    },
    (values) =>
      userMessage(`Review the past week${inside(values.workstream)}.

1. Call analyze_project_state${values.workstream ? ` with workstream "${values.workstream}"` : ''}, and search_entities sorted by updated.
2. Say in this order and briefly: what was finished, what is blocked and by what, what is overdue or stale, which decisions are due.
3. Propose three next steps. Change nothing before I agree; then use batch_update.`),
  );

  server.registerPrompt(
    'record_decision',
    {
      title: 'Record a decision',
      description: 'Writes down what was decided, why, and what it replaces.',
      argsSchema: z.object({
        topic: z.string().describe('What is decided'),
        id: z.string().describe('An entity that it is about').optional(),
        workstream,
      }),
    },
    (values) =>
      userMessage(`Record a decision on: ${values.topic}${values.id ? ` (about ${values.id})` : ''}${inside(values.workstream)}.

1. Look with manage_documents, action get_decision_history, topic "${values.topic}", whether this was decided before.
2. Ask me for what you don't know of: context, decision, rationale, alternatives, who decided, when.
3. Write it with create_entity of type decision${values.id ? `, affects ["${values.id}"]` : ''}; set supersedes if it replaces another one. Then check documents that it affects with check_freshness.`),
  );
}

function inside(workstream: string | undefined): string {
  return workstream ? ` in workstream ${workstream}` : '';
}

function userMessage(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
}
