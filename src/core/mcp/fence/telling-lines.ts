const most = { lines: 3, characters: 300 };

/** What stands in every stack and at its end, and says nothing of why. */
const isNoise = (line: string) =>
  /^(at .+|File ".+|\^+|[{}\])]+|Node\.js v[\d.]+|node:internal\/.+|throw \w+;?|npm (error|ERR!)( A complete log .+)?)$/.test(
    line,
  );
const tellsOfError = (line: string) =>
  /^(\[?\w*(Error|Exception)\b.*|(npm )?(error|ERR!|fatal|panic)\b.*|.+: (command )?not found)$/i.test(line);

/**
 * The lines of what a program wrote that say best why it ended: where the last error begins, else the last ones. A stack
 * comes after the error in some languages and before it in others.
 */
export function tellingLines(log: readonly string[]): string[] {
  const lines = log.map((line) => line.trim());
  const start = lines.findLastIndex((line, at) => tellsOfError(line) && !tellsOfError(lines[at - 1] ?? ''));
  const excerpt = start === -1 ? [] : lines.slice(start, start + most.lines);
  const end = excerpt.findIndex((line) => line === '' || isNoise(line));
  const selection =
    start === -1
      ? lines.filter((line) => line !== '' && !isNoise(line)).slice(-most.lines)
      : excerpt.slice(0, end === -1 ? excerpt.length : end);
  return selection.map((line) =>
    line.length > most.characters ? `${line.slice(0, most.characters)}…` : line,
  );
}
