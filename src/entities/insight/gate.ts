import { type FailureCode, ToolFailure } from '../base/failures';
import type { Entities } from '../entity/index/entities';
import { idsIn, referenceFields } from '../entity/model/model';
import { readParts } from '../entity/note/read';
import { diagnose } from './doctor';
import type { Finding, FindingCode } from './finding';
import { problemOf, repairOf } from './finding-words';

/** Said, and let pass: a key of another program may be like ours, and a template be called like a task. */
const onlySaid: ReadonlySet<FindingCode> = new Set(['misnamed_field', 'no_id', 'no_type']);

const codes: Readonly<Partial<Record<FindingCode, FailureCode>>> = {
  circle: 'cycle',
  deadlock: 'cycle',
  waits_for_its_whole: 'cycle',
  no_such_entity: 'unresolved_reference',
};

/**
 * The rules of entities for whoever writes a note as a text: what the doctor would find anew is refused, what it found
 * there before is said. A text that leaves the front matter as it is can break none.
 */
export function checkRules(
  present: Entities,
  note: { readonly path: string; readonly before: string; readonly after: string },
): readonly string[] {
  const { path, before, after } = note;
  if (before !== '' && readParts(before).head === readParts(after).head) return [];
  const changed = present.withText(path, after);
  const keysBefore = new Set(diagnose(present).map(({ key }) => key));
  const findings = diagnose(changed);
  const names = newlyNamed(path, present, changed);
  const isNew = (finding: Finding): boolean =>
    !keysBefore.has(finding.key) &&
    !onlySaid.has(finding.code) &&
    // A circle that stood there may be told from another of its members now.
    (codes[finding.code] !== 'cycle' || names);
  const [wrong] = findings.filter(isNew);
  if (wrong) {
    throw new ToolFailure(codes[wrong.code] ?? 'validation', problemOf(wrong), {
      ...(wrong.field !== null && { field: wrong.field }),
      ...(wrong.repair && { hint: `What would put it right: ${repairOf(wrong)}.` }),
    });
  }
  return findings
    .filter((finding) => finding.path === path || (!keysBefore.has(finding.key) && names))
    .map((finding) => `${problemOf(finding)} (check_project: ${finding.key})`);
}

/** Whether the note names anybody whom it did not name there before. */
function newlyNamed(path: string, present: Entities, changed: Entities): boolean {
  const namedIn = (entities: Entities) => {
    const entity = entities.all().find((each) => each.path === path);
    if (!entity) return [];
    return referenceFields(entity.type).flatMap((field) =>
      idsIn(entity.values[field]).map((id) => `${field} ${id}`),
    );
  };
  const before = new Set(namedIn(present));
  return namedIn(changed).some((each) => !before.has(each));
}
