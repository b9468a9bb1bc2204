// That the soak works at all, and finds a leak. It is far too short to say anything about servers without one: they are still warming up.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT, runCommand } from '../harness/programs/process.ts';
import type { SoakReport } from '../harness/soak/soak.ts';
import type { Judged } from '../harness/soak/verdict.ts';
import { describePostgres } from '../harness/stores/stores.ts';

const LONGEST_MS = 600_000;
const LEAK = path.join(PROJECT, 'test/harness/soak/plant-leak.ts');
/** What the leak alone would be; where a machine is busy, timers are late, and it is less. */
const LOST_MIB_PER_HOUR = 3400;
const LOST_FILES_PER_HOUR = 3600;

async function runSoak(...args: string[]) {
  const program = runCommand(process.execPath, ['test/soak/soak.ts', '--hosts', '20', ...args], {});
  const { code } = await program.ended;
  const file = /readings are in (\S+)\.\n/.exec(program.stdout)?.[1];
  if (file === undefined) throw new Error(`there is no report:\n${program.stdout}${program.stderr}`);
  const report: SoakReport = JSON.parse(readFileSync(path.join(PROJECT, file), 'utf8'));
  const of = (what: string): Judged => {
    const found = report.judged.find(judged => judged.what === what);
    if (found === undefined) throw new Error(`${what} was not measured`);
    return found;
  };
  return { code, report, of, stdout: program.stdout };
}

describePostgres('a soak', () => {
  test('loses nothing, and finds the server that leaks', { timeout: LONGEST_MS }, async () => {
    const { code, report, of, stdout } = await runSoak('--minutes', '1.5', '--preload', LEAK);
    expect(report.losses).toEqual([]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/server 3: heap after a collection.* grows\n/);
    expect(stdout).toMatch(/Not flat: .*server 3: open files and sockets/);
    const [leaking, clean] = ['server 3', 'server 1'];
    expect(of(`${leaking}: heap after a collection`).perHour).toBeGreaterThan(LOST_MIB_PER_HOUR / 4);
    expect(of(`${clean}: heap after a collection`).perHour).toBeLessThan(LOST_MIB_PER_HOUR / 4);
    expect(of(`${leaking}: open files and sockets`)).toMatchObject({ verdict: 'grows' });
    expect(of(`${leaking}: open files and sockets`).perHour).toBeGreaterThan(LOST_FILES_PER_HOUR / 4);
    expect(of(`${clean}: threads`).verdict).toBe('flat');
    for (const count of Object.values({ ...report.done, turned_away: 1, unavailable: 1 }))
      expect(count).toBeGreaterThan(0);
  });

  test('is for the embedded store, too', { timeout: LONGEST_MS }, async () => {
    const { report } = await runSoak('--minutes', '0.5', '--store', 'sqlite');
    expect(report.losses).toEqual([]);
    expect(report.done).toMatchObject({ operations: expect.any(Number), turned_away: 0 });
    expect(report.judged.map(({ what }) => what)).toContain('rows: operations');
  });
});
