import type { Cause } from '../../../contract/server-faults';
import { ProgramError } from '../fence/program-error';

/** Why a program was not started, in a form that says what to do about it. */
export function startError(
  error: NodeJS.ErrnoException,
  command: string,
  environment: Readonly<Record<string, string>>,
): ProgramError {
  if (error.code === 'ENOENT') {
    const path = Object.entries(environment).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? '';
    const isPlace = /[\\/]/.test(command);
    const comesWith = sourceOf(command);
    return new ProgramError(
      { code: 'not-found', command, path: isPlace ? null : path, comesWith },
      { cause: error },
    );
  }
  const errno = error.code ?? error.message;
  const code = error.code === 'EACCES' || error.code === 'EPERM' ? 'not-allowed' : 'not-started';
  return new ProgramError({ code, command, errno }, { cause: error });
}

function sourceOf(command: string): Extract<Cause, { code: 'not-found' }>['comesWith'] {
  switch (command.replace(/\.(exe|cmd)$/i, '')) {
    case 'npx':
    case 'npm':
    case 'node':
      return 'node';
    case 'uv':
    case 'uvx':
      return 'uv';
    case 'docker':
      return 'docker';
    case 'python':
    case 'python3':
      return 'python';
    default:
      return null;
  }
}
