import type { Repaired } from '../entities/checkup';
import type { Finding } from '../entities/insight/finding';
import { pathWords, problemOf, repairOf } from '../entities/insight/finding-words';
import { openProject } from '../entities/project';
import { whyNotOnWindows } from '../files';

/** Mending one note may show what else is wrong with it. */
const mostRounds = 5;

export interface DoctorOptions {
  readonly fix?: boolean;
  readonly json?: boolean;
}

/**
 * The findings of a vault; repairs them first where that is wanted, but cuts nothing that a person wrote. The exit code
 * is 1 while any are left.
 */
export async function runDoctor(
  root: string,
  { fix = false, json = false }: DoctorOptions,
): Promise<{ code: number; text: string }> {
  const project = await openProject({
    root,
    now: () => new Date(),
    onChange: () => undefined,
    report: () => undefined,
  });
  try {
    const repaired: Finding[] = [];
    let failed: Repaired['failed'] = [];
    for (let round = 0; fix && round < mostRounds; round++) {
      const outcome = await project.repair(['all']);
      failed = outcome.failed;
      if (outcome.fixed.length === 0) break;
      repaired.push(...outcome.fixed);
    }
    const findings = await project.findings();
    const report = { repaired, failed, findings, names: namesOfThisSystem(project.files()) };
    return { code: findings.length === 0 ? 0 : 1, text: json ? asJson(report) : asText(report, fix) };
  } finally {
    project.close();
  }
}

interface Report extends Pick<Repaired, 'failed'> {
  readonly repaired: readonly Finding[];
  readonly findings: readonly Finding[];
  /** Nothing is wrong with them here. */
  readonly names: readonly { readonly path: string; readonly reason: string }[];
}

/** What a disk that Windows reads, or a service that serves it, cannot take. */
function namesOfThisSystem(files: readonly { readonly path: string }[]): Report['names'] {
  return files.flatMap(({ path }) => {
    const [reason] = path.split('/').flatMap((name) => whyNotOnWindows(name) ?? []);
    return reason === undefined ? [] : [{ path, reason }];
  });
}

const mostNames = 20;

function asText({ repaired, failed, findings, names }: Report, fix: boolean): string {
  const lines = [
    ...repaired.map((finding) => `repaired  ${line(finding)}`),
    ...failed.map(({ finding, failure }) => `failed  ${line(finding)}\n    ${failure.message}`),
    ...findings.map(line),
  ];
  const unasked = findings.filter(({ withAll }) => withAll).length;
  const yours = findings.length - unasked;
  const ends = [
    findings.length === 0 ? 'Nothing is wrong.' : `${findings.length} found.`,
    !fix && unasked > 0 ? `--fix repairs ${unasked}.` : '',
    yours > 0
      ? `${yours} only a person can decide: do in the notes what stands behind “By hand”, or press Repair in the app (Projects, Check).`
      : '',
  ];
  const also = names.slice(0, mostNames).map(({ path, reason }) => `    ${pathWords(path)}: ${reason}`);
  const more = names.length > mostNames ? [`    … and ${names.length - mostNames} more`] : [];
  if (names.length > 0) also.unshift(`Fine here, but Windows cannot have these names (${names.length}):`);
  return `${[...lines, ends.filter(Boolean).join(' '), ...also, ...more].join('\n')}\n`;
}

function line(finding: Finding): string {
  const how = `${finding.withAll ? 'Repair' : 'By hand'}: ${repairOf(finding).replace(/^by hand: /, '')}`;
  const also = finding.code === 'no_such_entity' && finding.repair ? ', or make what it names' : '';
  return `${pathWords(finding.path)}\n    ${problemOf(finding)}\n    ${how}${also}`;
}

function asJson({ repaired, failed, findings, names }: Report): string {
  const printed = (finding: Finding) => ({
    ...{ key: finding.key, code: finding.code, path: finding.path, id: finding.id, field: finding.field },
    ...{ problem: problemOf(finding), repair: repairOf(finding), byHand: !finding.withAll },
  });
  const report = {
    repaired: repaired.map(printed),
    failed: failed.map(({ finding, failure }) => ({ ...printed(finding), reason: failure.message })),
    findings: findings.map(printed),
    notOnWindows: names,
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
