import { expect, test } from 'vitest';
import { externalAddress } from './external-address';

test('web and mail addresses are opened, in their normal form', () => {
  expect(externalAddress('HTTPS://example.org')).toBe('https://example.org/');
  expect(externalAddress('mailto:a@example.org')).toBe('mailto:a@example.org');
});

test('no file, script or bare word is opened', () => {
  for (const url of ['file:///etc/passwd', 'javascript:alert(1)', 'smb://host/share', 'example.org', ''])
    expect(() => externalAddress(url)).toThrow(expect.objectContaining({ code: 'request.invalid' }));
});
