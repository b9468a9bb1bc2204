import { expect, test } from 'vitest';
import type { Address } from '../domain/addresses/address.ts';
import { Secret } from '../domain/secret.ts';
import { TransportFailure } from '../domain/transport-failure.ts';
import type { Limits, Target, Transport } from '../drivers/transport/transport.ts';
import { AccessTrials } from './access-trials.ts';

const target: Target = {
  address: '127.0.0.1' as Address,
  port: 22,
  user: 'core',
  privateKey: new Secret('key'),
  hostKeys: [],
};
const said = (exitCode: number, stdout: string, stderr = '') => ({
  exitCode,
  stdout: Buffer.from(stdout),
  stderr: Buffer.from(stderr),
});

/** Hosts that let in, and say so when asked who we are. */
function hosts(who = said(0, '0\n')) {
  const waiting: (() => void)[] = [];
  let [open, closed] = [0, 0];
  const transport: Transport = {
    connect: (_target, { signal }: Limits) =>
      new Promise(resolve => {
        open += 1;
        signal.addEventListener('abort', () => resolve(new TransportFailure('unreachable', 'called off')));
        waiting.push(() =>
          resolve({
            hostKey: 'ssh-ed25519 AAAA',
            run: async () => who,
            close: () => {
              closed += 1;
            },
          }),
        );
      }),
  };
  const trials = new AccessTrials({
    transport,
    tracer: null,
    settings: { connectTimeoutMs: 1000, maxTrials: 2 },
  });
  return { trials, waiting, counts: () => [open, closed] };
}

test('credentials that make us root work, and the connection is closed', async () => {
  const { trials, waiting, counts } = hosts();
  const answer = trials.try(target);
  waiting.shift()?.();
  expect(await answer).toEqual({ hostKey: 'ssh-ed25519 AAAA' });
  expect(counts()).toEqual([1, 1]);
});

test('those that do not say what sudo complained of', async () => {
  const { trials, waiting } = hosts(said(1, '', 'sudo: a password is required\n'));
  const answer = trials.try(target);
  waiting.shift()?.();
  expect(await answer).toMatchObject({
    kind: 'auth_rejected',
    detail: expect.stringMatching(/no passwordless sudo: sudo: a password is required$/),
  });
});

test('only so many are tried at once, and a hundred wait', async () => {
  const { trials, waiting, counts } = hosts();
  const answers = Array.from({ length: 102 }, () => trials.try(target));
  expect(counts()).toEqual([2, 0]);
  expect(await trials.try(target)).toMatchObject({ detail: expect.stringMatching(/too many/) });
  for (let done = 0; done < answers.length; done += 1) {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    waiting.shift()?.();
  }
  await Promise.all(answers);
  expect(counts()).toEqual([102, 102]);
});

test('what is under way at a stop is called off', async () => {
  const { trials } = hosts();
  const answer = trials.try(target);
  trials.stop();
  expect(await answer).toMatchObject({ kind: 'unreachable' });
});
