import { expect, onTestFinished, test } from 'vitest';
import { ADMIN_PASSWORD } from '../harness/credentials.ts';
import { createHome } from '../harness/programs/cli.ts';
import { openTerminal } from '../harness/programs/open-terminal.ts';
import { startTestService } from '../harness/service.ts';
import { describeWithPrograms } from '../harness/vitest/conditional-suites.ts';

describeWithPrograms('hostler login in a terminal', ['tmux'], () => {
  test('shows prompts and input except the password', async () => {
    const service = await startTestService('sqlite');
    onTestFinished(() => service.stop());
    const terminal = openTerminal({ HOME: await createHome(), NODE: process.execPath });
    await terminal.type('"$NODE" bin/hostler.js login', 'Enter');
    await terminal.waitForText(/^Server \[http:\/\/127\.0\.0\.1:8000\]:/m);
    await terminal.type(service.url, 'Enter');
    await terminal.waitForText(/^User \[admin\]:/m);
    await terminal.type('admin', 'Enter');
    await terminal.waitForText(/^Password of admin:/m);
    await terminal.type(ADMIN_PASSWORD, 'Enter');
    const shown = await terminal.waitForText(/^logged in to /m);
    expect(shown).toContain(`Server [http://127.0.0.1:8000]: ${service.url}\nUser [admin]: admin\n`);
    expect(shown).toMatch(/^Password of admin: *$/m);
    expect(shown).not.toContain(ADMIN_PASSWORD);
    // Input is echoed again.
    await terminal.type('echo "code $?"', 'Enter');
    expect(await terminal.waitForText(/code 0/)).toContain('echo "code $?"');
  });
});
