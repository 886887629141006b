import './no-eval';
import * as z from 'zod';
import { call, state } from './define';
import { NotePath } from './ids';
import { projectErrors } from './operation-errors';

export const EntityType = z.enum(['milestone', 'story', 'task', 'decision', 'document']);
export type EntityType = z.infer<typeof EntityType>;
/** Work goes through four statuses; those of decisions and documents are their own. */
export const workStatuses = ['not_started', 'in_progress', 'blocked', 'completed'] as const;
export const priorities = ['low', 'medium', 'high', 'critical'] as const;

const EntityId = z.string().min(1).max(40);

/** An entity as far as a card or a link shows it. People write notes by hand: a status may be any word. */
export const EntityBrief = z.object({
  id: EntityId,
  type: EntityType,
  title: z.string(),
  status: z.string(),
  priority: z.string().nullable(),
  workstream: z.string().nullable(),
  parent: z.string().nullable(),
  assignee: z.string().nullable(),
  targetDate: z.string().nullable(),
  dependsOn: z.array(z.string()),
  /** Of what it depends on, how many are not done. */
  waitsFor: z.number().int(),
  /** Neither done nor archived. */
  open: z.boolean(),
  overdue: z.boolean(),
  archived: z.boolean(),
  path: NotePath,
  /** When it was changed, here or by hand. */
  updated: z.string(),
  /** Of the bytes of its note; what changes it says which one it has seen. */
  revision: z.string(),
});
export type EntityBrief = z.infer<typeof EntityBrief>;

export const ProjectsState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('reading') }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
  z.object({
    kind: z.literal('ready'),
    /** Another number: something is different, so ask again. */
    revision: z.number().int(),
    entities: z.number().int(),
    workstreams: z.array(z.string()),
    /** Those that hold entities. */
    workspaces: z.array(z.object({ name: z.string(), path: z.string() })),
    canvases: z.array(NotePath),
  }),
]);
export type ProjectsState = z.infer<typeof ProjectsState>;

/** Which entities are meant; null: all. */
export const ProjectScope = z.object({
  workstream: z.string().nullable().default(null),
  /** The folder of a workspace. */
  workspace: z.string().nullable().default(null),
});
export type ProjectScope = z.infer<typeof ProjectScope>;

/** By type, then by status. */
const Counts = z.partialRecord(EntityType, z.record(z.string(), z.number().int()));

/** What to do next and why; `id` is what it is done to. */
export const NextStep = z.object({
  id: EntityId,
  title: z.string(),
  why: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('break-circle'), circle: z.array(z.string()) }),
    z.object({ kind: z.literal('repair'), field: z.string(), missing: z.string() }),
    z.object({ kind: z.literal('decide'), blocks: z.array(z.string()) }),
    z.object({ kind: z.literal('unblock'), critical: z.boolean(), holdsUp: z.number().int() }),
    z.object({ kind: z.literal('start'), critical: z.boolean(), priority: z.string() }),
    z.object({ kind: z.literal('replan'), due: z.string() }),
    z.object({ kind: z.literal('look-after'), days: z.number().int() }),
  ]),
});
export type NextStep = z.infer<typeof NextStep>;

export const Workstream = z.object({
  /** Null: entities without one. */
  name: z.string().nullable(),
  health: z.enum(['healthy', 'at_risk', 'blocked']),
  trouble: z.enum(['critical_path', 'overdue', 'many_stuck']).nullable(),
  /** What makes it so; at most five. */
  because: z.array(z.object({ id: EntityId, title: z.string() })),
  becauseCount: z.number().int(),
  counts: Counts,
  overdue: z.number().int(),
  steps: z.array(NextStep),
});
export type Workstream = z.infer<typeof Workstream>;

const Found = z.object({ id: EntityId, title: z.string(), status: z.string() });

export const ProjectOverview = z.object({
  counts: Counts,
  archived: z.number().int(),
  workstreams: z.array(Workstream),
  /** With what lies below them: done and all stories and tasks. */
  milestones: z.array(EntityBrief.extend({ done: z.number().int(), total: z.number().int() })),
  steps: z.array(NextStep),
  /** Each list is cut; `totals` tells how many there are. */
  blockers: z.array(Found.extend({ waitsFor: z.array(z.string()), holdsUp: z.number().int() })),
  ready: z.array(Found),
  criticalPath: z.array(Found),
  stale: z.array(Found.extend({ days: z.number().int() })),
  problems: z.array(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('circle'), ids: z.array(z.string()) }),
      z.object({ kind: z.literal('broken'), id: z.string(), field: z.string(), missing: z.string() }),
      z.object({ kind: z.literal('duplicate'), id: z.string(), paths: z.array(NotePath) }),
      z.object({ kind: z.literal('unreadable'), path: NotePath }),
    ]),
  ),
  totals: z.object({
    blockers: z.number().int(),
    ready: z.number().int(),
    criticalPath: z.number().int(),
    stale: z.number().int(),
    problems: z.number().int(),
  }),
});
export type ProjectOverview = z.infer<typeof ProjectOverview>;

export const Decision = EntityBrief.extend({
  decision: z.string().nullable(),
  rationale: z.string().nullable(),
  decidedBy: z.string().nullable(),
  decidedOn: z.string().nullable(),
  /** From the first on the matter to the one that holds now; itself included. */
  chain: z.array(z.string()),
});
export type Decision = z.infer<typeof Decision>;

export const FieldKind = z.enum([
  'text',
  'number',
  'text-or-number',
  'date',
  'list',
  'id',
  'ids',
  'status',
  'priority',
]);
export type FieldKind = z.infer<typeof FieldKind>;

const Relation = z.object({ field: z.string(), entity: EntityBrief });

export const EntityDetail = z.object({
  entity: EntityBrief,
  created: z.string().nullable(),
  /** What may be written, in the order of a new note. */
  fields: z.array(
    z.object({
      name: z.string(),
      kind: FieldKind,
      /** What is allowed, where only some words are. */
      options: z.array(z.string()).nullable(),
      /** For an id: which types it may name; null: any. */
      types: z.array(EntityType).nullable(),
      value: z.union([z.string(), z.number(), z.array(z.string()), z.null()]),
      /** What stands there, where it is nothing that such a field holds; it is changed in the note only. */
      unread: z.string().nullable(),
    }),
  ),
  body: z.string(),
  parent: EntityBrief.nullable(),
  children: z.array(EntityBrief),
  dependencies: z.array(EntityBrief),
  dependents: z.array(EntityBrief),
  /** By its other fields, and by those of others that name it. */
  names: z.array(Relation),
  namedBy: z.array(Relation),
  /** Ids that it names and that nobody has. */
  missing: z.array(z.string()),
  /** The chain of a decision, the versions of a document; empty without a past. */
  history: z.array(
    z.object({
      id: EntityId,
      title: z.string(),
      status: z.string(),
      version: z.string().nullable(),
      date: z.string().nullable(),
      summary: z.string().nullable(),
    }),
  ),
  /** Of a document: what it names and what changed after it. */
  outdatedBy: z.array(Found),
});
export type EntityDetail = z.infer<typeof EntityDetail>;

export const CanvasNode = z.object({
  id: z.string(),
  kind: z.enum(['file', 'text', 'link', 'group']),
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  /** A preset from 1 to 6, or #rrggbb. */
  color: z.string().nullable(),
  /** The text of a text node, the address of a link, the label of a group; of a file its title. */
  text: z.string(),
  file: NotePath.nullable(),
  /** For a file: whether it is there. */
  exists: z.boolean(),
  entity: EntityBrief.nullable(),
});
export type CanvasNode = z.infer<typeof CanvasNode>;

const Side = z.enum(['top', 'right', 'bottom', 'left']);

export const CanvasEdge = z.object({
  id: z.string(),
  /** Drawn by a person in the file, or implied by the notes. */
  kind: z.enum(['drawn', 'depends', 'parent']),
  from: z.string(),
  to: z.string(),
  fromSide: Side.nullable(),
  toSide: Side.nullable(),
  fromArrow: z.boolean(),
  toArrow: z.boolean(),
  color: z.string().nullable(),
  label: z.string().nullable(),
});
export type CanvasEdge = z.infer<typeof CanvasEdge>;

export const CanvasContent = z.object({
  path: NotePath,
  version: z.string(),
  nodes: z.array(CanvasNode),
  edges: z.array(CanvasEdge),
});
export type CanvasContent = z.infer<typeof CanvasContent>;

const RepairPlan = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('set'),
    field: z.string(),
    to: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
  }),
  z.object({ kind: z.literal('drop'), field: z.string(), id: z.string() }),
  /** The value becomes a line of the note's text. */
  z.object({ kind: z.literal('to-text'), field: z.string() }),
  z.object({ kind: z.literal('rename-field'), field: z.string(), to: z.string() }),
  z.object({ kind: z.literal('rewrite') }),
  z.object({ kind: z.literal('new-id') }),
  z.object({ kind: z.literal('mend') }),
  z.object({ kind: z.literal('rename'), to: z.string() }),
]);

/** Something invalid in the notes of a project, or a note that nothing else shows. */
export const ProjectFinding = z.object({
  key: z.string(),
  /** Whether it is repaired along with all others. */
  withAll: z.boolean(),
  code: z.enum([
    'invalid_status',
    'invalid_priority',
    'invalid_value',
    'misnamed_field',
    'type_mismatch',
    'no_type',
    'decided_but_pending',
    'no_such_entity',
    'wrong_parent',
    'waits_for_its_whole',
    'circle',
    'deadlock',
    'duplicate_id',
    'id_too_high',
    'no_id',
    'unreadable',
    'unclosed',
    'too_large',
    'dead_link',
    'no_file',
    'unusable_name',
    'hidden',
    'damaged_canvas',
    'dead_node',
    'double_node',
    'loose_edge',
    'damaged_record',
    'half_undone',
    'half_done',
  ]),
  /** Its name may be one that no path may have. */
  path: z.string(),
  id: z.string().nullable(),
  field: z.string().nullable(),
  value: z.string().nullable(),
  /** Null: only a person can. */
  repair: RepairPlan.nullable(),
});
export type ProjectFinding = z.infer<typeof ProjectFinding>;

/** Values by field; null removes one. */
const EntityData = z.record(z.string(), z.unknown());

export const projectsOperations = {
  'projects.state': state(z.object({}), ProjectsState, projectErrors),
  'projects.overview': call(ProjectScope, ProjectOverview, projectErrors),
  'projects.list': call(
    ProjectScope.extend({ archived: z.boolean().default(false) }),
    z.array(EntityBrief),
    projectErrors,
  ),
  'projects.decisions': call(
    ProjectScope.extend({ topic: z.string().default('') }),
    z.array(Decision),
    projectErrors,
  ),
  'projects.entity': call(z.object({ id: EntityId }), EntityDetail, projectErrors),
  /** Those of the ids that exist. */
  'projects.find': call(z.object({ ids: z.array(EntityId).max(500) }), z.array(EntityBrief), projectErrors),
  'projects.create': call(
    z.object({
      type: EntityType,
      data: EntityData,
      /** A canvas to put it on. */
      canvas: NotePath.nullable().default(null),
      workspace: z.string().nullable().default(null),
    }),
    EntityBrief,
    projectErrors,
  ),
  /**
   * `archived` is a field, too; with `cascade: true` for all below. What changed elsewhere since the revision is kept where
   * it is something else; where it is the same the change is refused with the difference.
   */
  'projects.update': call(
    z.object({ id: EntityId, data: EntityData, revision: z.string() }),
    z.object({ entity: EntityBrief, cascaded: z.array(z.string()) }),
    projectErrors,
  ),
  'projects.check': call(z.object({}), z.array(ProjectFinding), projectErrors),
  /** Of findings with these keys, as far as they still hold. `undo` takes all of it back while nobody has changed the notes. */
  'projects.repair': call(
    z.object({ keys: z.array(z.string()).min(1).max(10_000) }),
    z.object({
      fixed: z.number().int(),
      failed: z.array(z.object({ path: z.string(), reason: z.string() })),
      undo: z.string().nullable(),
    }),
    projectErrors,
  ),
  /** Those that can still be asked to be taken back, the last first. */
  'projects.repairs': call(
    z.object({}),
    z.array(z.object({ undo: z.string(), fixed: z.number().int(), paths: z.array(z.string()) })),
    projectErrors,
  ),
  'projects.undoRepair': call(z.object({ undo: z.string() }), z.object({}), projectErrors),
  'projects.canvas': call(z.object({ path: NotePath }), CanvasContent, projectErrors),
  'projects.moveNodes': call(
    z.object({
      path: NotePath,
      version: z.string(),
      /** Refused where the file is not that version any more, as for an undo; else a place counts whatever else was changed. */
      onlyOnto: z.boolean().optional(),
      places: z
        .array(
          z.object({
            id: z.string(),
            x: z.number(),
            y: z.number(),
            width: z.number().positive().optional(),
            height: z.number().positive().optional(),
          }),
        )
        .max(50_000),
    }),
    /** `onto` is the version that was found there, `version` the one that it is now. */
    z.object({ onto: z.string(), version: z.string() }),
    projectErrors,
  ),
  /** Puts what the canvas lacks on it; the canvas is made if it isn't there. */
  'projects.addMissing': call(
    ProjectScope.extend({ path: NotePath, types: z.array(EntityType).min(1) }),
    z.object({ added: z.number().int() }),
    projectErrors,
  ),
} as const;
