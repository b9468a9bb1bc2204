import { expect, test } from 'vitest';
import type { Argv, Ran } from '../domain/command.ts';
import { askedBy, LOOK_BEGIN } from './jobs/look-script.ts';
import { startedBy } from './jobs/start-script.ts';
import { labOf, workToRoll } from './rolling/rolling-lab.ts';
import { runAll } from './run-all.ts';
import type { StepContext } from './step.ts';

const ran = (stdout: string): Ran => ({ exitCode: 0, stdout: Buffer.from(stdout), stderr: Buffer.from('') });

/** A host on which each command takes so many seconds, and what was started there. */
function hostWith(takesS: Readonly<Record<string, number>>) {
  const started: string[] = [];
  let [passedMs, endsAtMs] = [0, 0];
  const run = async (argv: Argv): Promise<Ran> => {
    const job = startedBy(argv);
    if (job) {
      started.push(job.argv[0]);
      endsAtMs = passedMs + (takesS[job.argv[0]] ?? 0) * 1000;
      return ran('');
    }
    const { waitS = 0 } = askedBy(argv) ?? {};
    passedMs += Math.min(waitS * 1000, Math.max(0, endsAtMs - passedMs));
    return ran(`${LOOK_BEGIN} ${passedMs < endsAtMs ? 'running -' : 'ended 0'} 0 0\n`);
  };
  const link: StepContext['link'] = {
    hostKey: async () => '',
    run,
    ask: async ({ argv, read }) => read(await run(argv)),
  };
  const { context } = labOf(workToRoll('upgrade'), {});
  const clock = { monotonicMs: () => passedMs };
  return { started, context: { ...context, link, clock }, passedMs: () => passedMs };
}

const COMMANDS: readonly Argv[] = [['first'], ['second'], ['third']];

test.each<[string, Readonly<Record<string, number>>, number, string, number]>([
  ['all of them', { first: 30, second: 20, third: 10 }, 60, 'first second third', 60],
  ['what is left of it', { first: 50, second: 50 }, 60, 'first second', 60],
  ['nobody else, when the first has taken it', { first: 60, second: 5 }, 60, 'first second', 60],
])('the time is for %s', async (_what, takesS, timeoutS, commands, passedS) => {
  const { context, started, passedMs } = hostWith(takesS);
  await runAll(context, COMMANDS, timeoutS * 1000);
  expect([started.join(' '), passedMs() / 1000]).toEqual([commands, passedS]);
});
