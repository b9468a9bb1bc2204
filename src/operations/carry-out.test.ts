import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { NEVER } from '../domain/command.ts';
import { Secret } from '../domain/secret.ts';
import { carryOut } from './carry-out.ts';
import type { HostLink, Outcome } from './step.ts';

const TASK = {
  needs: [],
  hint: '',
  commands: [{ argv: ['sh', '-c', 'cat'], input: new Secret('hush\n') }],
} as const;

const nobodyAsks = async (): Promise<never> => {
  throw new Error('nobody asks this here');
};

/** A host on which every command ends so. */
const ending = (exitCode: number): HostLink => ({
  hostKey: nobodyAsks,
  ask: nobodyAsks,
  run: async () => ({ exitCode, stdout: new Uint8Array(), stderr: Buffer.from('first\nit is full\n') }),
});

const contextWith = (link: HostLink) => ({
  link,
  jobsName: 'x',
  clock: { monotonicMs: () => 0 },
  hear: () => {},
  jobEnded: () => {},
});

test.each<[exitCode: number, outcome: Partial<Outcome> | undefined]>([
  [0, undefined],
  [1, { kind: 'retry', isRoundOver: true, problem: 'command_failed: sh exited with 1: it is full' }],
  [NEVER, { kind: 'failed', problem: 'permanent_failure: it is full' }],
])('a command that reads something and ends with %i', async (exitCode, outcome) => {
  const came = await carryOut(contextWith(ending(exitCode)), TASK);
  if (outcome === undefined) expect(came).toBeUndefined();
  else expect(came).toMatchObject(outcome);
});

test('an unwritable /run is retried, with the output of the command that failed', async () => {
  const link: HostLink = {
    ...ending(1),
    run: async () => ({
      exitCode: 1,
      stdout: Buffer.from('hostler-error create_folder mkdir: Read-only file system\n'),
      stderr: new Uint8Array(),
    }),
  };
  const task = { needs: [], hint: '', commands: [{ argv: ['true'] }] } as const;
  expect(await carryOut(contextWith(link), task)).toMatchObject({
    kind: 'retry',
    isRoundOver: false,
    problem: 'run_not_writable: cannot create /run/hostler on the host: mkdir: Read-only file system',
  });
});

test('programs that the host does not have are named, and nothing is run on it', async () => {
  const link: HostLink = {
    hostKey: nobodyAsks,
    run: nobodyAsks,
    ask: async ({ argv: [program = '', ...words], read }) => {
      const { status, stdout, stderr } = spawnSync(program, words);
      return read({ exitCode: status ?? -1, stdout, stderr });
    },
  };
  const task = { ...TASK, needs: ['kubeadm-of-nobody', 'sh', 'kubelet-of-nobody'], hint: 'install both' };
  expect(await carryOut(contextWith(link), task)).toMatchObject({
    kind: 'retry',
    problem: 'missing_program: the host does not have kubeadm-of-nobody, kubelet-of-nobody; install both',
  });
});
