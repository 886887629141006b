import type { Finding } from './insight/finding';
import { pathWords, problemOf, repairOf } from './insight/finding-words';
import { openProject } from './project';

/** Mending one note may show what else is wrong with it. */
const mostRounds = 5;

/** The findings of a vault as text; repairs them first where that is wanted. The exit code is 1 while any are left. */
export async function runDoctor(root: string, fix: boolean): Promise<{ code: number; text: string }> {
  const project = await openProject({
    root,
    now: () => new Date(),
    onChange: () => undefined,
    report: () => undefined,
  });
  try {
    const lines: string[] = [];
    let refused: string[] = [];
    for (let round = 0; fix && round < mostRounds; round++) {
      const { fixed, failed } = await project.repair(['all']);
      refused = failed.map(({ finding, failure }) => `failed  ${line(finding)}\n    ${failure.message}`);
      if (fixed.length === 0) break;
      lines.push(...fixed.map((finding) => `repaired  ${line(finding)}`));
    }
    lines.push(...refused);
    const left = await project.findings();
    lines.push(...left.map(line));
    const hint = !fix && left.some(({ withAll }) => withAll) ? ' --fix repairs what it can.' : '';
    lines.push(left.length === 0 ? 'Nothing is wrong.' : `${left.length} found.${hint}`);
    return { code: left.length === 0 ? 0 : 1, text: `${lines.join('\n')}\n` };
  } finally {
    project.close();
  }
}

function line(finding: Finding): string {
  return `${pathWords(finding.path)}\n    ${problemOf(finding)}\n    Repair: ${repairOf(finding)}`;
}
