import { shellEnv } from 'shell-env';

const mostMs = 4_000;
let asked: Promise<string | null> | null = null;

/**
 * The PATH of the person's login shell, which a program started from a dock or menu does not have. Asked once; null
 * on Windows, when the shell fails, and when it takes longer than four seconds.
 */
export function loginShellPath(): Promise<string | null> {
  asked ??= process.platform === 'win32' ? Promise.resolve(null) : ask();
  return asked;
}

async function ask(): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), mostMs);
  });
  try {
    return await Promise.race([shellEnv().then(({ PATH }) => PATH ?? null), late]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
