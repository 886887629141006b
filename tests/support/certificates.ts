import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** A certificate authority of our own with one certificate that it signed, in PEM; written in DER by X.509 (RFC 5280). */
export function privateAuthority(hosts: readonly string[]): { ca: string; cert: string; key: string } {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const server = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const isAuthority = extension('551d13', true, der(0x30, der(0x01, Buffer.from([0xff]))));
  const names = extension('551d11', false, der(0x30, ...hosts.map((host) => der(0x82, Buffer.from(host)))));
  return {
    ca: certificate(1, 'Test authority', authority.publicKey, authority.privateKey, isAuthority),
    cert: certificate(2, hosts[0] ?? '', server.publicKey, authority.privateKey, names),
    key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function certificate(
  serial: number,
  subject: string,
  publicKey: KeyObject,
  signer: KeyObject,
  extensions: Buffer,
): string {
  const algorithm = der(0x30, der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
  const name = (common: string) =>
    der(0x30, der(0x31, der(0x30, der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from(common)))));
  const toBeSigned = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([serial])),
    algorithm,
    name('Test authority'),
    der(0x30, der(0x17, Buffer.from('250101000000Z')), der(0x17, Buffer.from('490101000000Z'))),
    name(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, extensions)),
  );
  const signature = sign('sha256', toBeSigned, signer);
  const whole = der(0x30, toBeSigned, algorithm, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function extension(id: string, isCritical: boolean, value: Buffer): Buffer {
  const critical = isCritical ? [der(0x01, Buffer.from([0xff]))] : [];
  return der(0x30, der(0x06, Buffer.from(id, 'hex')), ...critical, der(0x04, value));
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
