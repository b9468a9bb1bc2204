import { test } from 'vitest';
import { readThrough } from '../harness/documents/read-through.ts';
import { makeReaderPlace } from '../harness/documents/reader-place.ts';
import { describeWithSshd, freePort } from '../harness/ssh/sshd.ts';

describeWithSshd('the tour of README.md', () => {
  test('can be typed', { timeout: 120_000 }, async () => {
    const place = await makeReaderPlace({ HOSTLER_ADMIN_PASSWORD: 'told at the start' });
    const [listen, sshPort] = [`127.0.0.1:${await freePort()}`, String(await freePort())];
    try {
      await readThrough('README.md', place, {
        replaced: [
          ['npm start', `npm start -- --listen ${listen}`],
          ['127.0.0.1:8000', listen],
          ["'…'", "'told at the start'"],
          ['2222', sshPort],
        ],
        rules: [
          { has: 'npm start', beside: /API +http/ },
          {
            has: 'settled 127.0.0.1',
            notCompared: 'the facts are those of the machine',
            says: /"status":"active"/,
          },
          { has: 'enrol 127.0.0.2', says: /"reason":"auth_rejected: / },
          { has: 'other.pub', says: /\[\{"address":"127.0.0.1".*\{"address":"127.0.0.2"/ },
          { has: '"old": [], "new"', refusals: ['members_changed'], says: /409 Conflict/ },
          { has: 'dry_run', says: /own_machine: / },
          { has: 'vera:just', refusals: ['forbidden'] },
        ],
      });
    } finally {
      place.remove();
    }
  });
});
