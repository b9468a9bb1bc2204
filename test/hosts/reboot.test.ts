import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HostQuery } from '../../src/domain/command.ts';
import { shellQuote } from '../../src/lib/text.ts';
import { blockReboot, probeReboot, sendRebootQuery } from '../../src/procedures/reboot/reboot-scripts.ts';
import { ScriptError } from '../../src/procedures/script-error.ts';
import { describeOnRealHosts, IMAGE_BUILD_MS } from '../harness/real-hosts/describe-on-real-hosts.ts';
import { ssh } from '../harness/real-hosts/host-access.ts';
import type { LightHost } from '../harness/real-hosts/light-host.ts';
import { startLightHost } from '../harness/real-hosts/light-host.ts';
import { waitUntil } from '../harness/wait-until.ts';

describeOnRealHosts('a real host', () => {
  let host: LightHost;
  beforeAll(async () => {
    host = await startLightHost({ identity: 'debian' });
  }, IMAGE_BUILD_MS);
  afterAll(() => host?.stop());

  async function query<Result>({ argv, parse }: HostQuery<Result | ScriptError>): Promise<Result | undefined> {
    const { exitCode, stdout, stderr } = await ssh(host, 'root', argv.map(shellQuote).join(' '));
    const result = parse({ exitCode, stdout: Buffer.from(stdout), stderr: Buffer.from(stderr) });
    if (result instanceof ScriptError) throw new Error(String(result));
    return result;
  }

  test('reboots once and rejects the same command in its next boot', async () => {
    const mark = { operation: 'op', attempt: 1, bootId: await host.bootId() };
    const before = await query(probeReboot(mark));
    expect(before).toMatchObject({ bootId: mark.bootId, marker: 'none' });
    const send = sendRebootQuery(mark, { deadlineS: (before?.uptimeS ?? 0) + 60, customRebootArgv: null });
    expect((await Promise.all([query(send), query(send), query(send)])).sort()).toEqual([
      'marker_exists',
      'marker_exists',
      'started',
    ]);
    const after = await waitUntil('another boot', async () => {
      const probe = await query(probeReboot(mark));
      return probe !== undefined && probe.bootId !== mark.bootId && probe;
    });
    expect(after).toMatchObject({ marker: 'none' });
    expect([await query(send), await query(blockReboot(mark))]).toEqual(['other_boot', 'other_boot']);
    expect(await host.bootId()).toBe(after.bootId);
  });
});
