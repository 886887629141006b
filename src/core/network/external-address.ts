import { AppError } from '../../contract/errors';

/** An address that another program may be given to open, in its normal form. Throws `request.invalid` for any other. */
export function externalAddress(url: string): string {
  const protocol = URL.canParse(url) ? new URL(url).protocol : '';
  if (!['http:', 'https:', 'mailto:'].includes(protocol)) {
    throw new AppError('request.invalid', 'Only web and mail addresses are opened.', {
      issues: ['url: not a web address'],
    });
  }
  return new URL(url).href;
}
