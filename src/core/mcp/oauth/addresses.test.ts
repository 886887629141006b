import { expect, test } from 'vitest';
import { refusal } from './addresses';

const publicServer = new URL('https://93.184.216.34/mcp');
const localServer = new URL('http://127.0.0.1:4000/mcp');
const homeServer = new URL('http://192.168.1.5/mcp');

const inside = [
  'http://127.0.0.1/x',
  'https://127.0.0.1/x',
  'https://localhost/x',
  'https://a.localhost/x',
  'https://10.1.2.3/x',
  'https://172.16.0.1/x',
  'https://192.168.1.1/x',
  'https://169.254.169.254/latest/meta-data',
  'https://100.64.0.1/x',
  'https://0.0.0.0/x',
  'https://[::1]/x',
  'https://[::ffff:127.0.0.1]/x',
  'https://[::ffff:10.0.0.1]/x',
  'https://[fd00::1]/x',
  'https://[fe80::1]/x',
  'https://2130706433/x',
  'https://0x7f000001/x',
  'https://0177.0.0.1/x',
  'https://127.1/x',
  'https://localhost./x',
  'https://[::127.0.0.1]/x',
  'https://[::10.0.0.1]/x',
  'https://[2002:7f00:1::]/x',
  'https://[2002:c0a8:0101::1]/x',
  'https://[64:ff9b::127.0.0.1]/x',
  'https://[2001:0:53aa:64c::1]/x',
  'https://[fec0::1]/x',
];

for (const address of inside) {
  test(`a server on the internet cannot send us to ${address}`, async () => {
    expect(await refusal(new URL(address), publicServer)).not.toBeNull();
  });
}

test('a server at home cannot send us to this computer, but to its neighbours by https', async () => {
  expect(await refusal(new URL('http://127.0.0.1/x'), homeServer)).not.toBeNull();
  expect(await refusal(new URL('https://[::127.0.0.1]/x'), homeServer)).not.toBeNull();
  expect(await refusal(new URL('https://[2002:7f00:1::]/x'), homeServer)).not.toBeNull();
  expect(await refusal(new URL('http://192.168.1.6/x'), homeServer)).not.toBeNull();
  expect(await refusal(new URL('https://192.168.1.6/x'), homeServer)).toBeNull();
  expect(await refusal(new URL('http://192.168.1.5/.well-known/x'), homeServer)).toBeNull();
});

test('a server of this computer may use this computer without encryption, and the internet with it', async () => {
  expect(await refusal(new URL('http://127.0.0.1:5000/x'), localServer)).toBeNull();
  expect(await refusal(new URL('http://localhost:5000/x'), localServer)).toBeNull();
  expect(await refusal(new URL('https://93.184.216.34/x'), localServer)).toBeNull();
  expect(await refusal(new URL('http://93.184.216.34/x'), localServer)).not.toBeNull();
});

for (const address of [
  'file:///etc/passwd',
  'javascript:alert(1)',
  'ms-calculator:',
  'https://a:b@93.184.216.34/',
]) {
  test(`nobody is sent to ${address}`, async () => {
    expect(await refusal(new URL(address), publicServer)).not.toBeNull();
  });
}
