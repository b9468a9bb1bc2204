import { describe, expect, test } from 'vitest';
import { BOOT_ID, describeReboots, OTHER_BOOT_ID, WAIT_AT_GATE } from '../../../test/harness/shells/reboot-host.ts';
import { waitUntil } from '../../../test/harness/wait-until.ts';
import type { Argv } from '../../domain/command.ts';
import { markerPath } from './reboot-guard.ts';
import type { RebootProbe } from './reboot-scripts.ts';
import { probeReboot } from './reboot-scripts.ts';

const sh = (script: string): Argv => ['sh', '-c', script];

const LIKE_A_REPLY = `hostler-reboot ${OTHER_BOOT_ID} 1 none -`;
/** Failing commands and the expected problem. */
const FAILURES: readonly (readonly [Argv, unknown])[] = [
  [sh('echo one; echo "not now" >&2; exit 3'), 'the reboot command exited with 3: not now'],
  [sh('exit 1'), 'the reboot command exited with 1'],
  [sh('echo bye; kill -9 $$'), 'the reboot command exited with 137: bye'],
  // Leaves a daemon behind.
  [sh(`${WAIT_AT_GATE} & exit 4`), 'the reboot command exited with 4'],
  [sh(`echo "${LIKE_A_REPLY}"; exit 5`), `the reboot command exited with 5: ${LIKE_A_REPLY}`],
  [['no-such-program-anywhere'], expect.stringMatching(/exited with 127: .*not found/)],
];

describeReboots('probeReboot', host => {
  test('reports the exit code and the last line of a failed command', async () => {
    const ids = FAILURES.map(() => host().newRebootId());
    await Promise.all(
      FAILURES.map(([customRebootArgv], index) =>
        host().send(ids[index] ?? host().newRebootId(), { customRebootArgv }),
      ),
    );
    const probes = await waitUntil('all have failed', async () => {
      const probes = await Promise.all(ids.map(rebootId => host().probe(rebootId)));
      return probes.every(probe => probe?.marker === 'failed') && probes;
    });
    await host().openGate();
    expect(probes).toMatchObject(FAILURES.map(([, problem]) => ({ bootId: BOOT_ID, problem })));
    expect(await host().listReboots()).toBe('');
    expect(await Promise.all(ids.map(host().block))).toEqual(FAILURES.map(() => 'started'));
  });

  test('keeps only the last 4 KiB of a long output', async () => {
    const rebootId = host().newRebootId();
    await host().send(rebootId, { customRebootArgv: sh('seq 1 100000; printf "\\033[31mred\\n"; exit 9') });
    await host().listReboots();
    expect((await host().probe(rebootId))?.problem).toBe('the reboot command exited with 9: [31mred');
    expect(await host().bash(`wc -c <${markerPath(rebootId)}/out`)).toBe('4096\n');
  });

  test('reports started when the reboot killed its own command', async () => {
    const rebootId = host().newRebootId();
    await host().send(rebootId, { customRebootArgv: sh('(sleep 0.2; kill $PPID) & exit 1') });
    expect(await host().listReboots()).toBe('');
    expect(await host().probe(rebootId)).toMatchObject({ marker: 'started', problem: '' });
  });

  test('reports started for a marker without owner', async () => {
    const rebootId = host().newRebootId();
    await host().bash(`mkdir -p ${markerPath(rebootId)}`);
    expect(await host().probe(rebootId)).toMatchObject({ marker: 'started' });
  });

  test('reports none for another attempt or another boot', async () => {
    const rebootId = host().newRebootId();
    await host().block(rebootId);
    expect(await host().probe({ ...rebootId, attempt: 2 })).toMatchObject({ marker: 'none' });
    await host().bash(`echo ${OTHER_BOOT_ID} >/run/proc/boot_id`);
    expect(await host().probe({ ...rebootId, bootId: OTHER_BOOT_ID })).toMatchObject({ marker: 'none' });
    expect(await host().probe(rebootId)).toMatchObject({ bootId: OTHER_BOOT_ID, marker: 'blocked' });
  });

  test.each([
    ['boot ID', ': >/run/proc/boot_id', '/proc/sys/kernel/random/boot_id'],
    ['uptime', ': >/run/proc/uptime', '/proc/uptime'],
  ])('reports that the %s cannot be read', async (_case, change, file) => {
    await host().bash(change);
    await expect(host().probe(host().newRebootId())).rejects.toThrow(
      `proc_not_readable: cannot read ${file} on the host: the file is empty`,
    );
  });

  test('returns no reply without root access', async () => {
    const rebootId = host().newRebootId();
    await host().block(rebootId);
    const { argv, parse } = probeReboot(rebootId);
    const asUnprivileged: Argv = ['setpriv', '--reuid=65534', '--clear-groups', ...argv];
    expect(await host().query({ argv: asUnprivileged, parse })).toBeUndefined();
  });
});

describe('probeReboot parser', () => {
  const { parse: parseResult } = probeReboot({ operation: 'op', attempt: 1, bootId: BOOT_ID });
  const parse = (stdout: string) => parseResult({ exitCode: 0, stdout: Buffer.from(stdout), stderr: new Uint8Array() });
  const problemIn = (stdout: string) => (parse(stdout) as RebootProbe).problem;

  test('ignores output of a login profile', () => {
    expect(parse(`Welcome!\nhostler-reboot ${BOOT_ID} 77 started -\n`)).toEqual({
      bootId: BOOT_ID,
      uptimeS: 77,
      marker: 'started',
      problem: '',
    });
  });

  test('names the file that could not be read directly before the reboot', () => {
    expect(problemIn(`hostler-reboot ${BOOT_ID} 77 failed read_uptime\nthe file is empty\n`)).toBe(
      'cannot read /proc/uptime on the host: the file is empty',
    );
  });

  test.each(['constructor', '__proto__', 'nonsense'])('returns a generic problem for the unknown word %s', word => {
    expect(problemIn(`hostler-reboot ${BOOT_ID} 77 failed ${word}\n`)).toMatch(/^the host could not read/);
  });

  test.each([
    ['no output', ''],
    ['other output', 'Welcome!\n'],
    ['a line without line break', `hostler-reboot ${BOOT_ID} 77 started`],
    ['no boot id', 'hostler-reboot  77 started -\n'],
    ['no uptime', `hostler-reboot ${BOOT_ID}  started -\n`],
    ['an unknown state', `hostler-reboot ${BOOT_ID} 77 gone -\n`],
    ['a reply within a line', `x hostler-reboot ${BOOT_ID} 77 started -\n`],
  ])('returns undefined for %s', (_case, stdout) => {
    expect(parse(stdout)).toBeUndefined();
  });
});
