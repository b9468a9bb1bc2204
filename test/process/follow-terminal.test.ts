// `--follow` in a real terminal.

import { expect, onTestFinished, test } from 'vitest';
import { createActiveCluster } from '../harness/active-cluster.ts';
import { asAdmin } from '../harness/programs/cli.ts';
import { openTerminal } from '../harness/programs/open-terminal.ts';
import { startTestService } from '../harness/service.ts';
import { addHosts, createFleet } from '../harness/simulated-fleet.ts';
import { describeWithPrograms } from '../harness/vitest/conditional-suites.ts';

describeWithPrograms('--follow in a terminal', ['tmux'], () => {
  test('shows a bar and the hosts, adapts to the window size and restores the terminal', async () => {
    const fleet = createFleet();
    const service = await startTestService('sqlite', {}, { transport: fleet.transport });
    onTestFinished(() => service.stop());
    const fast = addHosts(fleet, ['127.9.4.1']);
    const slowAddresses = Array.from({ length: 11 }, (_, index) => `127.9.4.${index + 2}`);
    const slow = addHosts(fleet, slowAddresses, { bootMs: 60_000 });
    await createActiveCluster(service.client, 'web', [...fast, ...slow]);
    const terminal = openTerminal({ ...asAdmin(service.url), NODE: process.execPath });
    await terminal.type('"$NODE" bin/hostler.js restart web --max-unavailable 12 --min-healthy 0 --follow', 'Enter');

    const shown = await terminal.waitForText(/1 of 12 done, 11 remaining/);
    expect(shown).toMatch(/^restart of web {2}running {2}by admin, \d+s {2}\S+$/m);
    expect(shown).toMatch(/^█+░+ {2}1 of 12 done, 11 remaining$/m);
    expect(shown).toMatch(/^host-127-9-4-2 +(armed|rebooting) +\d+s$/m);
    expect(shown).toMatch(/^… and \d+ more$/m);
    await terminal.runTmux('resize-window', '-x', '60', '-y', '20');
    const resized = await terminal.waitForText(/^host-127-9-4-12 +rebooting/m);
    expect(resized.match(/restart of web {2}running/g)).toHaveLength(1);
    expect(resized).not.toContain('more');

    await terminal.type('C-c');
    await terminal.waitForText(/Follow it again\s+with: hostler operation/);
    await terminal.type('echo "code $?, sane"', 'Enter');
    await terminal.waitForText(/code 130, sane/);
    expect(await terminal.runTmux('display-message', '-p', '#{cursor_flag} #{wrap_flag}')).toBe('1 1\n');
    const { body } = await service.client.listOperations({ query: { cluster: 'web' } });
    expect(body).toMatchObject([{ kind: 'restart', state: 'running' }]);
  });
});
