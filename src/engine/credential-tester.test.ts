import { expect, test } from 'vitest';
import type { Address } from '../domain/addresses/address.ts';
import { Secret } from '../domain/secret.ts';
import { TransportFailure } from '../domain/transport-failure.ts';
import type { CallLimits, Target, Transport } from '../drivers/transport/transport.ts';
import { CredentialTester } from './credential-tester.ts';

const target: Target = {
  address: '127.0.0.1' as Address,
  port: 22,
  user: 'core',
  privateKey: new Secret('key'),
  hostKeys: [],
};
const commandResult = (exitCode: number, stdout: string, stderr = '') => ({
  exitCode,
  stdout: Buffer.from(stdout),
  stderr: Buffer.from(stderr),
});

/** Creates a tester whose connections stay pending until the test resolves them through `waiting`. */
function createTester(result = commandResult(0, '0\n')) {
  const waiting: (() => void)[] = [];
  let [open, closed] = [0, 0];
  const transport: Transport = {
    connect: (_target, { signal }: CallLimits) =>
      new Promise(resolve => {
        open += 1;
        signal.addEventListener('abort', () => resolve(new TransportFailure('unreachable', 'called off')));
        waiting.push(() =>
          resolve({
            hostKey: 'ssh-ed25519 AAAA',
            run: async () => result,
            close: () => {
              closed += 1;
            },
          }),
        );
      }),
  };
  const tester = new CredentialTester({
    transport,
    tracer: null,
    settings: { connectTimeoutMs: 1000, maxCredentialTests: 2 },
  });
  return { tester, waiting, counts: () => [open, closed] };
}

test('CredentialTester returns the host key and closes the connection when the credentials give root access', async () => {
  const { tester, waiting, counts } = createTester();
  const result = tester.test(target);
  waiting.shift()?.();
  expect(await result).toEqual({ hostKey: 'ssh-ed25519 AAAA' });
  expect(counts()).toEqual([1, 1]);
});

test('CredentialTester returns auth_rejected with the error of sudo when sudo needs a password', async () => {
  const { tester, waiting } = createTester(commandResult(1, '', 'sudo: a password is required\n'));
  const result = tester.test(target);
  waiting.shift()?.();
  expect(await result).toMatchObject({
    kind: 'auth_rejected',
    detail: expect.stringMatching(/no passwordless sudo: sudo: a password is required$/),
  });
});

test('CredentialTester runs two tests at once, queues a hundred and rejects the next', async () => {
  const { tester, waiting, counts } = createTester();
  const results = Array.from({ length: 102 }, () => tester.test(target));
  expect(counts()).toEqual([2, 0]);
  expect(await tester.test(target)).toMatchObject({ detail: expect.stringMatching(/too many/) });
  for (let done = 0; done < results.length; done += 1) {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    waiting.shift()?.();
  }
  await Promise.all(results);
  expect(counts()).toEqual([102, 102]);
});

test('CredentialTester aborts running tests on stop', async () => {
  const { tester } = createTester();
  const result = tester.test(target);
  tester.stop();
  expect(await result).toMatchObject({ kind: 'unreachable' });
});
