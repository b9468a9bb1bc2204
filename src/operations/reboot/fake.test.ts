import { describe, expect, test } from 'vitest';
import type { Question } from '../../domain/command.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import { rpmOstreeFake } from '../../drivers/os/rpm-ostree/fake.ts';
import { rpmOstree } from '../../drivers/os/rpm-ostree/rpm-ostree.ts';
import { LIMITS, lab } from '../../drivers/transport/sim/lab.ts';
import { shellFake } from '../../drivers/transport/sim/shell-fake.ts';
import { isRebootCommand, rebootFake } from './fake.ts';
import { lookAtReboot } from './look-at-reboot.ts';
import type { RebootMark } from './mark.ts';
import type { SendOptions } from './send-reboot.ts';
import { sendReboot } from './send-reboot.ts';
import { takeMark } from './take-mark.ts';

async function labWithReboots(os = 'lab') {
  const fakes = { systems: [shellFake, rpmOstreeFake], common: [rebootFake] };
  const { host, clock, connect, settle } = lab({ os }, { fakes });
  const mark: RebootMark = { operation: 'op', attempt: 1, bootId: host.machine.bootId };
  const deadlineS = Math.floor(host.machine.uptimeMs / 1000) + 60;
  const ask = async <Answer>({ argv, read }: Question<Answer>, asRoot = true) => {
    const connection = await connect();
    const ran = await settle(connection.run(argv, { ...LIMITS, asRoot }));
    connection.close();
    return ran instanceof TransportFailure ? ran : read(ran);
  };
  const send = (of: RebootMark = mark, options: Partial<SendOptions> = {}) =>
    ask(sendReboot(of, { deadlineS, by: null, ...options }));
  /** How often it was booted, when nothing is on its way any more. */
  const boots = async () => {
    await clock.advance(60_000);
    return host.boots.length - 1;
  };
  const take = (of: RebootMark = mark) => ask(takeMark(of));
  const look = (of: RebootMark = mark) => ask(lookAtReboot(of));
  return { host, clock, mark, deadlineS, ask, send, take, look, boots };
}

describe('a pretend host', () => {
  test('reboots once under a mark, a moment after its answer, and forgets the marker', async () => {
    const { host, clock, mark, send, take, look, boots } = await labWithReboots();
    expect(await look()).toMatchObject({ marker: 'none', bootId: mark.bootId, uptimeS: 3600 });
    expect([await send(), await send(), await take()]).toEqual(['started', 'marker_exists', 'started']);
    expect(await look()).toMatchObject({ marker: 'started', problem: '' });
    expect(host.isUp).toBe(true);
    await clock.advance(1200);
    expect(host.isUp).toBe(false);
    expect(await boots()).toBe(1);
    expect([await send(), await take()]).toEqual(['other_boot', 'other_boot']);
    const seen = await look();
    expect(seen).toMatchObject({ marker: 'none', bootId: host.machine.bootId });
    expect(host.machine.bootId).not.toBe(mark.bootId);
    expect(await boots()).toBe(1);
  });

  test('does not reboot when the mark was taken; another attempt has a mark of its own', async () => {
    const { mark, send, take, look, boots } = await labWithReboots();
    expect([await take(), await take(), await send()]).toEqual(['blocked', 'blocked', 'marker_exists']);
    expect(await look()).toMatchObject({ marker: 'blocked', problem: '' });
    expect(await boots()).toBe(0);
    expect(await send({ ...mark, attempt: 2 }, { deadlineS: 9999 })).toBe('started');
    expect(await boots()).toBe(1);
  });

  test('does not reboot for a command that comes late, which takes no marker', async () => {
    const { clock, send, look, boots } = await labWithReboots();
    await clock.advance(60_000);
    expect(await send()).toBe('too_late');
    expect(await look()).toMatchObject({ marker: 'none' });
    expect(await boots()).toBe(0);
  });

  test('does not reboot when it comes to it late, and says so', async () => {
    const { clock, send, look, boots } = await labWithReboots();
    await clock.advance(59_500);
    expect(await send()).toBe('started');
    expect(await boots()).toBe(0);
    expect(await look()).toMatchObject({
      marker: 'failed',
      problem: 'the reboot command ran after its deadline',
    });
  });

  test('lets the command reboot that does so by itself', async () => {
    const { host, send, boots } = await labWithReboots('coreos');
    const staged = { version: '44', checksum: 'c'.repeat(64), image: '' };
    host.machine.staged = { ...staged, isLocked: true };
    const by = rpmOstree.image?.finalize(staged).commands[0] ?? null;
    expect(await send(undefined, { by })).toBe('started');
    expect(await boots()).toBe(1);
    expect(host.machine.booted).toMatchObject({ version: '44' });
  });

  test('tells how that command ended badly, which a fault hits and not what sends it', async () => {
    const { host, send, take, look, boots } = await labWithReboots();
    host.suffer({ kind: 'exit', exitCode: 4, stderr: 'not\nnow', on: /printf/, times: 1 });
    expect(await send(undefined, { by: ['printf', 'x'] })).toBe('started');
    expect(await boots()).toBe(0);
    const problem = 'the reboot command exited with 4: now';
    expect(await look()).toMatchObject({ marker: 'failed', problem });
    expect([await take(), await send(undefined, { deadlineS: 9999 })]).toEqual(['started', 'marker_exists']);
  });

  test('reports a read-only /run and does not reboot', async () => {
    const { host, send, look, boots } = await labWithReboots();
    host.suffer({ kind: 'run_unwritable' });
    expect(await send()).toMatchObject({
      code: 'run_not_writable',
      detail: expect.stringMatching(/: Read-only file system$/),
    });
    expect(await look()).toMatchObject({ marker: 'none' });
    expect(await boots()).toBe(0);
  });

  test('does not reboot after a mark was taken on a read-only /run, also when /run is writable again', async () => {
    const { host, mark, send, take, look, boots } = await labWithReboots();
    host.suffer({ kind: 'run_unwritable' });
    expect([await take(), await take()]).toEqual(['blocked', 'blocked']);
    expect(await look()).toMatchObject({ marker: 'blocked' });
    host.recover('run_unwritable');
    expect(await send()).toBe('marker_exists');
    expect(await boots()).toBe(0);
    expect(await send({ ...mark, attempt: 2 }, { deadlineS: 9999 })).toBe('started');
    expect(await boots()).toBe(1);
  });

  test('answers nobody but root', async () => {
    const { host, mark, deadlineS, ask, boots } = await labWithReboots();
    expect(await ask(sendReboot(mark, { deadlineS, by: null }), false)).toBeUndefined();
    expect(await ask(takeMark(mark), false)).toBeUndefined();
    expect(await ask(lookAtReboot(mark), false)).toBeUndefined();
    expect([host.machine.run.size, await boots()]).toEqual([0, 0]);
  });
});

test('a command that reboots is told from all others', () => {
  const mark: RebootMark = { operation: 'op', attempt: 1, bootId: '2bd0a1c4-5f6e-4a37-9b1c-0d3e5f7a9b11' };
  const by = [null, ['rpm-ostree', 'finalize-deployment']] as const;
  expect(by.map(each => isRebootCommand(sendReboot(mark, { deadlineS: 1, by: each }).argv))).toEqual([
    true,
    true,
  ]);
  const others = [
    takeMark(mark).argv,
    lookAtReboot(mark).argv,
    ['reboot'] as const,
    ['sh', '-c', 'x'] as const,
  ];
  expect(others.map(isRebootCommand)).toEqual([false, false, false, false]);
});
