// npm run bench:compare -- REVISION [RUNS [BENCH…]] — compares the speed of this tree with that of an older revision.
//
// Checks the revision out below .cache/, then runs the requests of bench:api, and bench:engine and bench:operations with
// few hosts, in both trees alternately, so that other load on the machine affects both. Prints for each figure the
// median ratio of the runs (above 1: this tree is faster) and the spread of each tree. Fails if a ratio is below 0.95,
// or below 0.90 for a figure whose spread in the older tree is above 5 %. The revision must have `bench/seed-store.ts` and
// the option `--quick` of bench:engine.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { compareApi } from './compare-api.ts';
import { median } from './measure.ts';

const MIN_RATIO = 0.95;
const MIN_RATIO_WITH_NOISE = 0.9;
const NOISE = 0.05;

/** Figures by name. A larger figure is better. */
type Figures = ReadonlyMap<string, number>;

interface Bench {
  readonly script: string;
  readonly args: readonly string[];
  readonly parse: (output: string) => Figures;
}

const collect = (
  output: string,
  pattern: RegExp,
  toFigures: (groups: readonly string[]) => [string, number][],
): Figures => new Map([...output.matchAll(pattern)].flatMap(([, ...groups]) => toFigures(groups)));

interface Comparison {
  readonly name: string;
  readonly run: (olderTree: string) => Promise<{ readonly before: Figures; readonly after: Figures }>;
}

const BENCHES: readonly Bench[] = [
  {
    script: 'bench:engine',
    args: ['--quick'],
    parse: output =>
      collect(output, /^ +(\d+) +(\d+) µs +(\d+) µs/gm, ([hosts, bootstrapUs, checkUs]) => [
        [`bootstraps per CPU second, ${hosts} hosts`, 1e6 / Number(bootstrapUs)],
        [`10 minutes of checks per CPU second, ${hosts} hosts`, 1e6 / Number(checkUs)],
      ]),
  },
  {
    script: 'bench:operations',
    args: ['sqlite', '--quick'],
    parse: output =>
      collect(output, /^ +(\d+) +[\d.]+ +(\d+) +[\d.]+ ms/gm, ([hosts, stepsPerSecond]) => [
        [`steps per second, ${hosts} hosts`, Number(stepsPerSecond)],
      ]),
  },
];

const root = path.resolve(import.meta.dirname, '..');

function checkOut(revision: string): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const commit = git('rev-parse', '--verify', `${revision}^{commit}`);
  const folder = path.join(root, '.cache', 'compare', commit);
  if (!existsSync(folder)) git('worktree', 'add', '--detach', folder, commit);
  return folder;
}

/** A benchmark that misses one of its own targets fails, but has printed its figures. */
function runBench({ script, args, parse }: Bench, folder: string): Figures {
  const command = ['run', '--silent', script, '--', ...args];
  let output: string;
  try {
    output = execFileSync('npm', command, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  } catch (error) {
    output = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
  }
  const figures = parse(output);
  if (figures.size === 0) throw new Error(`${script} printed no figure in ${folder}:\n${output}`);
  return figures;
}

/** Difference of the largest and the smallest value, as a share of the median. */
const spread = (values: readonly number[]): number => (Math.max(...values) - Math.min(...values)) / median(values);

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`.padStart(8);

function report(name: string, before: readonly number[], after: readonly number[]): void {
  const ratio = median(after.map((value, run) => value / (before[run] ?? Number.NaN)));
  const minRatio = spread(before) > NOISE ? MIN_RATIO_WITH_NOISE : MIN_RATIO;
  if (ratio < minRatio) process.exitCode = 1;
  const verdict = ratio < minRatio ? `  below ${minRatio}` : '';
  console.log(
    `  ${name.padEnd(48)}${ratio.toFixed(2).padStart(6)}${percent(spread(before))}${percent(spread(after))}${verdict}`,
  );
}

const COMPARISONS: readonly Comparison[] = [
  { name: 'bench:api', run: olderTree => compareApi(olderTree, root) },
  ...BENCHES.map(bench => ({
    name: bench.script,
    run: async (olderTree: string) => ({ before: runBench(bench, olderTree), after: runBench(bench, root) }),
  })),
];

const [revision, runs = '5', ...names] = process.argv.slice(2);
const selected = COMPARISONS.filter(({ name }) => names.length === 0 || names.includes(name));
if (revision === undefined || !/^[1-9]\d?$/.test(runs) || selected.length === 0) {
  console.error('usage: npm run bench:compare -- REVISION [RUNS [bench:api] [bench:engine] [bench:operations]]');
  process.exit(2);
}
const olderTree = checkOut(revision);
for (const { name, run } of selected) {
  const results: { readonly before: Figures; readonly after: Figures }[] = [];
  for (let count = 1; count <= Number(runs); count += 1) {
    console.error(`${name}, run ${count} of ${runs}`);
    results.push(await run(olderTree));
  }
  console.log(`\n${name.padEnd(50)} ratio  spread before, after`);
  for (const figure of results[0]?.after.keys() ?? []) {
    const values = (tree: 'before' | 'after') => results.map(result => result[tree].get(figure) ?? Number.NaN);
    report(figure, values('before'), values('after'));
  }
}
