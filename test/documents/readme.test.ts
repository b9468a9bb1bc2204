import { test } from 'vitest';
import { readThrough } from '../harness/documents/read-through.ts';
import { makeReaderPlace } from '../harness/documents/reader-place.ts';
import { quickstartReading } from '../harness/documents/readme-tour.ts';
import { describeWithSshd, freePort } from '../harness/ssh/sshd.ts';

const PASSWORD = 'told at the start';

describeWithSshd('docs/getting-started/quickstart.md', () => {
  test('can be typed', async () => {
    const place = await makeReaderPlace({ HOSTLER_ADMIN_PASSWORD: PASSWORD });
    const [listen, sshPort] = [`127.0.0.1:${await freePort()}`, await freePort()];
    try {
      await readThrough(
        'docs/getting-started/quickstart.md',
        place,
        quickstartReading({ listen, sshPort, password: PASSWORD }),
      );
    } finally {
      place.remove();
    }
  });
});
