// Checks that the soak test works and finds a leak. It is too short to judge servers without a leak, because
// they are still warming up.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFailed, test } from 'vitest';
import { PROJECT, runCommand } from '../harness/programs/process.ts';
import type { Judgement } from '../harness/soak/growth-verdict.ts';
import type { SoakReport } from '../harness/soak/run-soak.ts';
import { describePostgres } from '../harness/stores/stores.ts';

const TIMEOUT_MS = 600_000;
const LEAK = path.join(PROJECT, 'test/harness/soak/inject-leak.ts');
/** Growth by the leak alone. On a busy machine timers are late and it is less. */
const LEAKED_MIB_PER_HOUR = 3400;
const LEAKED_FILES_PER_HOUR = 3600;

async function runSoak(...args: string[]) {
  const program = runCommand(process.execPath, ['test/soak/soak.ts', '--hosts', '20', ...args], {});
  // Includes the command that repeats the run.
  onTestFailed(() => void process.stdout.write(program.stdout));
  const { code } = await program.ended;
  const file = /readings are in (\S+)\.\n/.exec(program.stdout)?.[1];
  if (file === undefined) throw new Error(`no report:\n${program.stdout}${program.stderr}`);
  const report: SoakReport = JSON.parse(readFileSync(path.join(PROJECT, file), 'utf8'));
  const trendOf = (name: string): Judgement => {
    const found = report.judged.find(judged => judged.what === name);
    if (found === undefined) throw new Error(`${name} was not measured`);
    return found;
  };
  return { code, report, trendOf, stdout: program.stdout };
}

describePostgres('a soak', () => {
  test('loses nothing and detects the leaking server', { timeout: TIMEOUT_MS }, async () => {
    const { code, report, trendOf, stdout } = await runSoak('--minutes', '1.5', '--preload', LEAK);
    expect(report.losses).toEqual([]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/server 3: heap after a collection.* grows\n/);
    expect(stdout).toMatch(/Not flat: .*server 3: open files and sockets/);
    const [leaking, clean] = ['server 3', 'server 1'];
    expect(trendOf(`${leaking}: heap after a collection`).perHour).toBeGreaterThan(LEAKED_MIB_PER_HOUR / 4);
    expect(trendOf(`${clean}: heap after a collection`).perHour).toBeLessThan(LEAKED_MIB_PER_HOUR / 4);
    expect(trendOf(`${leaking}: open files and sockets`)).toMatchObject({ verdict: 'grows' });
    expect(trendOf(`${leaking}: open files and sockets`).perHour).toBeGreaterThan(LEAKED_FILES_PER_HOUR / 4);
    expect(trendOf(`${clean}: threads`).verdict).toBe('flat');
    for (const count of Object.values({ ...report.done, unavailable_responses: 1, store_timeouts: 1 }))
      expect(count).toBeGreaterThan(0);
  });

  test('supports SQLite', { timeout: TIMEOUT_MS }, async () => {
    const { report } = await runSoak('--minutes', '0.5', '--store', 'sqlite');
    expect(report.losses).toEqual([]);
    expect(report.done).toMatchObject({ operations: expect.any(Number), unavailable_responses: 0 });
    expect(report.judged.map(({ what }) => what)).toContain('rows: operations');
  });
});
