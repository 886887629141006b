import { AppError } from '../contract/errors';

/** A file system's error in the app's own words; anything that is not one comes back as it is. */
export function fileFailure(error: unknown, path: string): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const details = { path };
  const options = { cause: error };
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new AppError(
        'vault.disk-full',
        `The disk is full: “${path}” could not be written.`,
        details,
        options,
      );
    case 'EACCES':
    case 'EPERM':
      return new AppError(
        'vault.read-only',
        `“${path}” is read-only or not permitted to this app.`,
        details,
        options,
      );
    case 'EROFS':
      return new AppError('vault.read-only', `“${path}” is on a read-only disk.`, details, options);
    case 'ENOENT':
      return new AppError('vault.not-found', `“${path}” is not there.`, details, options);
    case 'ENOTDIR':
      return new AppError(
        'vault.not-a-folder',
        `Part of “${path}” is a file, not a folder.`,
        details,
        options,
      );
    case 'EISDIR':
      return new AppError('vault.not-found', `“${path}” is a folder, not a file.`, details, options);
    case 'EEXIST':
    case 'ENOTEMPTY':
      return new AppError('vault.exists', `“${path}” exists already.`, details, options);
    case 'ENAMETOOLONG':
      return new AppError(
        'vault.outside',
        `The name “${path.slice(0, 200)}” is too long for this disk.`,
        details,
        options,
      );
    case 'ELOOP':
      return new AppError(
        'vault.outside',
        `“${path}” is a symbolic link that leads in a circle.`,
        details,
        options,
      );
    default:
      return error;
  }
}

/** Runs file work; its failures come out as `vault.*`. */
export async function inVaultTerms<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fileFailure(error, path);
  }
}
