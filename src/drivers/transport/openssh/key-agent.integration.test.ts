import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOST_KEY, OTHER_HOST_KEY } from '../../../../test/harness/credentials.ts';
import { Secret } from '../../../domain/secret.ts';
import { sshString, uint32 } from '../../../lib/ssh-encoding.ts';
import { KeyAgent } from './key-agent.ts';
import { parseSigningKey } from './signing-key.ts';

const pem = String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
const key = parseSigningKey(new Secret(Buffer.from(pem).toString('base64')));
const FAILURE = 5;
const SUCCESS = 6;
const IDENTITIES_ANSWER = 12;
const SIGN_RESPONSE = 14;

let folder: string;
let agent: KeyAgent;
let socket: net.Socket;
beforeEach(async () => {
  folder = mkdtempSync('/tmp/hostler-agent-');
  agent = new KeyAgent(key, ({ line }) => line === HOST_KEY);
  await agent.listen(path.join(folder, 'agent'));
  socket = net.connect(path.join(folder, 'agent'));
});
afterEach(() => {
  socket.destroy();
  agent.close();
  rmSync(folder, { recursive: true });
});

async function request(type: number, ...parts: Buffer[]): Promise<Buffer> {
  socket.write(sshString(Buffer.concat([Buffer.of(type), ...parts])));
  const [response]: Buffer[] = await once(socket, 'data');
  return response?.subarray(4) ?? Buffer.alloc(0);
}

const blobOf = (line: string) => Buffer.from(line.split(' ')[1] ?? '', 'base64');
const session = randomBytes(32);
const bind = (line: string) =>
  request(
    27,
    sshString('session-bind@openssh.com'),
    sshString(blobOf(line)),
    sshString(session),
    sshString('signature'),
    Buffer.of(0),
  );
const login = (id = session) => Buffer.concat([sshString(id), Buffer.from('login data')]);
const sign = (data = login(), blob = key.publicBlob) => request(13, sshString(blob), sshString(data), uint32(0));

test('KeyAgent offers one key', async () => {
  const expected = Buffer.concat([Buffer.of(IDENTITIES_ANSWER), uint32(1), sshString(key.publicBlob), sshString('')]);
  expect(await request(11)).toEqual(expected);
});

test('KeyAgent records the host key and signs a login to the host', async () => {
  expect((await bind(HOST_KEY))[0]).toBe(SUCCESS);
  expect(agent.presentedKey).toEqual({ line: HOST_KEY, isCertified: false });
  expect((await sign())[0]).toBe(SIGN_RESPONSE);
});

test('KeyAgent signs nothing before the session is bound or for an untrusted host', async () => {
  expect((await sign())[0]).toBe(FAILURE);
  await bind(OTHER_HOST_KEY);
  expect((await sign())[0]).toBe(FAILURE);
});

test('KeyAgent can be bound only once', async () => {
  await bind(OTHER_HOST_KEY);
  expect((await bind(HOST_KEY))[0]).toBe(FAILURE);
  expect(agent.presentedKey?.line).toBe(OTHER_HOST_KEY);
});

test('KeyAgent signs only logins of its own session with its own key', async () => {
  await bind(HOST_KEY);
  expect((await sign(login(), blobOf(OTHER_HOST_KEY)))[0]).toBe(FAILURE);
  expect((await sign(login(randomBytes(32))))[0]).toBe(FAILURE);
  expect((await sign(Buffer.from('other data')))[0]).toBe(FAILURE);
});

test.each([
  ['to add a key', 17, Buffer.alloc(0)],
  ['to remove all keys', 19, Buffer.alloc(0)],
  ['with truncated data', 13, uint32(1000)],
  ['for an unknown extension', 27, sshString('other@example.org')],
  ['with an unknown type', 0, Buffer.alloc(0)],
])('KeyAgent rejects a request %s and continues', async (_label, type, rest) => {
  expect([...(await request(type, rest))]).toEqual([FAILURE]);
  expect((await request(11))[0]).toBe(IDENTITIES_ANSWER);
});

test('KeyAgent closes the connection after an oversized message', async () => {
  socket.write(Buffer.concat([uint32(2 ** 31), Buffer.alloc(100_000)]));
  await once(socket, 'close');
});
