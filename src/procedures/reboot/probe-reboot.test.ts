import { describe, expect, test } from 'vitest';
import { BOOT_ID, describeReboots, OTHER_BOOT_ID } from '../../../test/harness/shells/reboot-host.ts';
import { until } from '../../../test/harness/until.ts';
import type { Argv } from '../../domain/command.ts';
import type { RebootProbe } from './probe-reboot.ts';
import { probeReboot } from './probe-reboot.ts';
import { markerPath } from './reboot-guard.ts';

const sh = (script: string): Argv => ['sh', '-c', script];

const LIKE_A_REPLY = `hostler-reboot ${OTHER_BOOT_ID} 1 none -`;
/** Commands that end badly, and what is said of it. */
const FAILURES: readonly (readonly [Argv, unknown])[] = [
  [sh('echo one; echo "not now" >&2; exit 3'), 'the reboot command exited with 3: not now'],
  [sh('exit 1'), 'the reboot command exited with 1'],
  [sh('echo bye; kill -9 $$'), 'the reboot command exited with 137: bye'],
  // It leaves a daemon behind.
  [sh('until [ -e /run/go ]; do sleep 0.1; done & exit 4'), 'the reboot command exited with 4'],
  [sh(`echo "${LIKE_A_REPLY}"; exit 5`), `the reboot command exited with 5: ${LIKE_A_REPLY}`],
  [['no-such-program-anywhere'], expect.stringMatching(/exited with 127: .*not found/)],
];

describeReboots('a look at a reboot', host => {
  test('tells how a command ended badly, and the last that it said', async () => {
    const ids = FAILURES.map(() => host().newMark());
    await Promise.all(
      FAILURES.map(([customRebootArgv], index) =>
        host().send(ids[index] ?? host().newMark(), { customRebootArgv }),
      ),
    );
    const probes = await until('all have failed', async () => {
      const probes = await Promise.all(ids.map(rebootId => host().look(rebootId)));
      return probes.every(probe => probe?.marker === 'failed') && probes;
    });
    await host().bash('touch /run/go');
    expect(probes).toMatchObject(FAILURES.map(([, problem]) => ({ bootId: BOOT_ID, problem })));
    expect(await host().reboots()).toBe('');
    expect(await Promise.all(ids.map(host().take))).toEqual(FAILURES.map(() => 'started'));
  });

  test('finds the end of a long output, and nothing that is kept besides', async () => {
    const rebootId = host().newMark();
    await host().send(rebootId, { customRebootArgv: sh('seq 1 100000; printf "\\033[31mred\\n"; exit 9') });
    await host().reboots();
    expect((await host().look(rebootId))?.problem).toBe('the reboot command exited with 9: [31mred');
    expect(await host().bash(`wc -c <${markerPath(rebootId)}/out`)).toBe('4096\n');
  });

  test('finds it begun when the command was broken off by the reboot that it began', async () => {
    const rebootId = host().newMark();
    await host().send(rebootId, { customRebootArgv: sh('(sleep 0.2; kill $PPID) & exit 1') });
    expect(await host().reboots()).toBe('');
    expect(await host().look(rebootId)).toMatchObject({ marker: 'started', problem: '' });
  });

  test('finds it begun when there is a marker, and nobody has said whose', async () => {
    const rebootId = host().newMark();
    await host().bash(`mkdir -p ${markerPath(rebootId)}`);
    expect(await host().look(rebootId)).toMatchObject({ marker: 'started' });
  });

  test('finds nothing of another attempt or of another boot', async () => {
    const rebootId = host().newMark();
    await host().take(rebootId);
    expect(await host().look({ ...rebootId, attempt: 2 })).toMatchObject({ marker: 'none' });
    await host().bash(`echo ${OTHER_BOOT_ID} >/run/proc/boot_id`);
    expect(await host().look({ ...rebootId, bootId: OTHER_BOOT_ID })).toMatchObject({ marker: 'none' });
    expect(await host().look(rebootId)).toMatchObject({ bootId: OTHER_BOOT_ID, marker: 'blocked' });
  });

  test.each([
    ['boot ID', ': >/run/proc/boot_id', '/proc/sys/kernel/random/boot_id'],
    ['uptime', ': >/run/proc/uptime', '/proc/uptime'],
  ])('reports that the %s cannot be read', async (_what, change, file) => {
    await host().bash(change);
    await expect(host().look(host().newMark())).rejects.toThrow(
      `proc_not_readable: cannot read ${file} on the host: the file is empty`,
    );
  });

  test('answers nothing to one who may not see markers', async () => {
    const rebootId = host().newMark();
    await host().take(rebootId);
    const { argv, parse } = probeReboot(rebootId);
    const asNobody: Argv = ['setpriv', '--reuid=65534', '--clear-groups', ...argv];
    expect(await host().ask({ argv: asNobody, parse })).toBeUndefined();
  });
});

describe('what is read of a look', () => {
  const { parse: read } = probeReboot({ operation: 'op', attempt: 1, bootId: BOOT_ID });
  const parse = (stdout: string) =>
    read({ exitCode: 0, stdout: Buffer.from(stdout), stderr: new Uint8Array() });
  const problemIn = (stdout: string) => (parse(stdout) as RebootProbe).problem;

  test('is the line of the host, whatever a profile says before it', () => {
    expect(parse(`Welcome!\nhostler-reboot ${BOOT_ID} 77 started -\n`)).toEqual({
      bootId: BOOT_ID,
      uptimeS: 77,
      marker: 'started',
      problem: '',
    });
  });

  test('is the file that could not be read right before the reboot, with the error', () => {
    expect(problemIn(`hostler-reboot ${BOOT_ID} 77 failed read_uptime\nthe file is empty\n`)).toBe(
      'cannot read /proc/uptime on the host: the file is empty',
    );
  });

  test.each(['constructor', '__proto__', 'nonsense'])(
    'is a sentence of ours where the host says %s',
    word => {
      expect(problemIn(`hostler-reboot ${BOOT_ID} 77 failed ${word}\n`)).toMatch(/^the host could not read/);
    },
  );

  test.each([
    ['nothing', ''],
    ['noise', 'Welcome!\n'],
    ['half a line', `hostler-reboot ${BOOT_ID} 77 started`],
    ['no boot id', 'hostler-reboot  77 started -\n'],
    ['no uptime', `hostler-reboot ${BOOT_ID}  started -\n`],
    ['a state that is none', `hostler-reboot ${BOOT_ID} 77 gone -\n`],
    ['a line in the middle of another', `x hostler-reboot ${BOOT_ID} 77 started -\n`],
  ])('is nothing where it says %s', (_what, stdout) => {
    expect(parse(stdout)).toBeUndefined();
  });
});
