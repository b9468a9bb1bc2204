import { describe } from 'vitest';

/** As `describe`; where there is a reason against it, it says so, with what cannot be had, and leaves the tests out. */
export function describeUnless(
  reason: string | undefined,
  lacking: string,
  name: string,
  tests: () => void,
): void {
  if (reason !== undefined)
    process.stderr.write(
      `SKIPPED: ${name}, since ${lacking} here (as root on Debian, npm test or npm run test:all installs what it needs): ${reason}\n`,
    );
  describe.runIf(reason === undefined)(name, tests);
}
