// Typing a password in a real terminal: nobody who looks at the screen reads it.

import { expect, onTestFinished, test } from 'vitest';
import { describeUnless } from '../harness/describe-unless.ts';
import { makeHome } from '../harness/programs/cli.ts';
import { missingPrograms } from '../harness/programs/missing-programs.ts';
import { openTerminal } from '../harness/programs/open-terminal.ts';
import { ADMIN_PASSWORD, startTestService } from '../harness/service.ts';

const missing = missingPrograms(['tmux -V']).length > 0 ? 'there is no tmux' : undefined;

describeUnless(missing, 'no terminal can be opened', 'logging in at a terminal', () => {
  test('shows what is asked and what is answered, but for the password', async () => {
    const service = await startTestService('sqlite');
    onTestFinished(() => service.stop());
    const terminal = openTerminal({ HOME: await makeHome(), NODE: process.execPath });
    await terminal.type('"$NODE" bin/hostler.js login', 'Enter');
    await terminal.shows(/^Server \[http:\/\/127\.0\.0\.1:8000\]:/m);
    await terminal.type(service.url, 'Enter');
    await terminal.shows(/^User \[admin\]:/m);
    await terminal.type('admin', 'Enter');
    await terminal.shows(/^Password of admin:/m);
    await terminal.type(ADMIN_PASSWORD, 'Enter');
    const shown = await terminal.shows(/^logged in to /m);
    expect(shown).toContain(`Server [http://127.0.0.1:8000]: ${service.url}\nUser [admin]: admin\n`);
    expect(shown).toMatch(/^Password of admin: *$/m);
    expect(shown).not.toContain(ADMIN_PASSWORD);
    // And what is typed then is seen again.
    await terminal.type('echo "code $?"', 'Enter');
    expect(await terminal.shows(/code 0/)).toContain('echo "code $?"');
  });
});
