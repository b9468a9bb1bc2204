import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOST_KEY, OTHER_HOST_KEY } from '../../../../test/harness/keys.ts';
import { Secret } from '../../../domain/secret.ts';
import { sshString, uint32 } from '../../../lib/ssh-encoding.ts';
import { KeyAgent } from './key-agent.ts';
import { parseSigningKey } from './signing-key.ts';

const pem = String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
const key = parseSigningKey(new Secret(Buffer.from(pem).toString('base64')));
const NO = 5;
const YES = 6;
const KEYS = 12;
const SIGNATURE = 14;

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

async function ask(type: number, ...parts: Buffer[]): Promise<Buffer> {
  socket.write(sshString(Buffer.concat([Buffer.of(type), ...parts])));
  const [answer]: Buffer[] = await once(socket, 'data');
  return answer?.subarray(4) ?? Buffer.alloc(0);
}

const blobOf = (line: string) => Buffer.from(line.split(' ')[1] ?? '', 'base64');
const session = randomBytes(32);
const bind = (line: string) =>
  ask(
    27,
    sshString('session-bind@openssh.com'),
    sshString(blobOf(line)),
    sshString(session),
    sshString('signature'),
    Buffer.of(0),
  );
const login = (id = session) => Buffer.concat([sshString(id), Buffer.from('who logs in')]);
const sign = (data = login(), blob = key.publicBlob) => ask(13, sshString(blob), sshString(data), uint32(0));

test('an agent offers one key', async () => {
  const expected = Buffer.concat([Buffer.of(KEYS), uint32(1), sshString(key.publicBlob), sshString('')]);
  expect(await ask(11)).toEqual(expected);
});

test('an agent learns the key of the host, and signs a login to it', async () => {
  expect((await bind(HOST_KEY))[0]).toBe(YES);
  expect(agent.presentedKey).toEqual({ line: HOST_KEY, isCertified: false });
  expect((await sign())[0]).toBe(SIGNATURE);
});

test('an agent signs nothing before it knows the host, nor for one that is not right', async () => {
  expect((await sign())[0]).toBe(NO);
  await bind(OTHER_HOST_KEY);
  expect((await sign())[0]).toBe(NO);
});

test('an agent is bound once', async () => {
  await bind(OTHER_HOST_KEY);
  expect((await bind(HOST_KEY))[0]).toBe(NO);
  expect(agent.presentedKey?.line).toBe(OTHER_HOST_KEY);
});

test('an agent signs with no other key, for no other session and nothing but a login', async () => {
  await bind(HOST_KEY);
  expect((await sign(login(), blobOf(OTHER_HOST_KEY)))[0]).toBe(NO);
  expect((await sign(login(randomBytes(32))))[0]).toBe(NO);
  expect((await sign(Buffer.from('anything')))[0]).toBe(NO);
});

test.each([
  ['to add a key', 17, Buffer.alloc(0)],
  ['to remove all', 19, Buffer.alloc(0)],
  ['for something that ends too early', 13, uint32(1000)],
  ['for an extension that it does not know', 27, sshString('other@example.org')],
  ['for nothing at all', 0, Buffer.alloc(0)],
])('an agent that is asked %s says no, and goes on', async (_what, type, rest) => {
  expect([...(await ask(type, rest))]).toEqual([NO]);
  expect((await ask(11))[0]).toBe(KEYS);
});

test('an agent hangs up on whoever says too much', async () => {
  socket.write(Buffer.concat([uint32(2 ** 31), Buffer.alloc(100_000)]));
  await once(socket, 'close');
});
