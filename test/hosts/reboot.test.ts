import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HostQuery } from '../../src/domain/command.ts';
import { shellQuote } from '../../src/lib/text.ts';
import { blockReboot } from '../../src/procedures/reboot/block-reboot.ts';
import { probeReboot } from '../../src/procedures/reboot/probe-reboot.ts';
import { rebootQuery } from '../../src/procedures/reboot/send-reboot.ts';
import { ScriptError } from '../../src/procedures/script-error.ts';
import { describeOnRealHosts } from '../harness/hosts/describe-on-real-hosts.ts';
import type { LightHost } from '../harness/hosts/light-host.ts';
import { ssh } from '../harness/hosts/ssh.ts';
import { startLightHost } from '../harness/hosts/start-light-host.ts';
import { until } from '../harness/until.ts';

/** The image below all hosts is built by the first who needs it. */
const BUILD_MS = 600_000;

describeOnRealHosts('a real host', () => {
  let host: LightHost;
  beforeAll(async () => {
    host = await startLightHost({ identity: 'debian' });
  }, BUILD_MS);
  afterAll(() => host?.stop());

  async function ask<Answer>({ argv, parse }: HostQuery<Answer | ScriptError>): Promise<Answer | undefined> {
    const { exitCode, stdout, stderr } = await ssh(host, 'root', argv.map(shellQuote).join(' '));
    const answer = parse({ exitCode, stdout: Buffer.from(stdout), stderr: Buffer.from(stderr) });
    if (answer instanceof ScriptError) throw new Error(String(answer));
    return answer;
  }

  test('answers, reboots once, and does nothing for the same command in its next boot', async () => {
    const mark = { operation: 'op', attempt: 1, bootId: await host.bootId() };
    const before = await ask(probeReboot(mark));
    expect(before).toMatchObject({ bootId: mark.bootId, marker: 'none' });
    const send = rebootQuery(mark, { deadlineS: (before?.uptimeS ?? 0) + 60, customRebootArgv: null });
    expect((await Promise.all([ask(send), ask(send), ask(send)])).sort()).toEqual([
      'marker_exists',
      'marker_exists',
      'started',
    ]);
    const after = await until('another boot', async () => {
      const look = await ask(probeReboot(mark));
      return look !== undefined && look.bootId !== mark.bootId && look;
    });
    expect(after).toMatchObject({ marker: 'none' });
    expect([await ask(send), await ask(blockReboot(mark))]).toEqual(['other_boot', 'other_boot']);
    expect(await host.bootId()).toBe(after.bootId);
  });
});
