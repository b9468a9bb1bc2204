import { test } from 'vitest';
import { createDocSandbox } from '../harness/documents/doc-sandbox.ts';
import { quickstartOptions } from '../harness/documents/quickstart.ts';
import { runDocument } from '../harness/documents/run-document.ts';
import { freePort } from '../harness/http/sockets.ts';
import { describeWithSshd } from '../harness/ssh/sshd.ts';

const PASSWORD = 'set at the start';

describeWithSshd('docs/getting-started/quickstart.md', () => {
  test('shows commands that work', async () => {
    const sandbox = await createDocSandbox({ HOSTLER_ADMIN_PASSWORD: PASSWORD });
    const [listen, sshPort] = [`127.0.0.1:${await freePort()}`, await freePort()];
    try {
      await runDocument(
        'docs/getting-started/quickstart.md',
        sandbox,
        quickstartOptions({ listen, sshPort, password: PASSWORD }),
      );
    } finally {
      sandbox.remove();
    }
  });
});
