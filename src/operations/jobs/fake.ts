// How a pretend host starts jobs and tells of them. What it knows of a job is under /run, so a boot forgets it. The command has its
// effects when it is started, and ends when it has taken as long as it takes.

import type { Argv } from '../../domain/command.ts';
import type { Machine, MachineAnswer, MachineCaller, MachineFake } from '../../drivers/machine.ts';
import { bytes, fileOf, runReadOnly, said } from '../fake-answer.ts';
import { isRunCheck, RUN_IS_WRITABLE } from '../run-folder.ts';
import type { Job } from './job.ts';
import type { LookRequest } from './look-script.ts';
import { askedBy, CHUNK_BYTES, LOOK_BEGIN } from './look-script.ts';
import { startedBy } from './start-script.ts';

function start(machine: Machine, { name, argv }: Job, caller: MachineCaller): MachineAnswer {
  if (!caller.isRoot) return { ...said(), exitCode: 1, stderr: bytes('mkdir: Permission denied\n') };
  const { run } = machine;
  if (run.has(fileOf(name, 'code'))) return said();
  if (machine.isRunReadOnly) return runReadOnly(name);
  const { exitCode, stdout, stderr, tookMs = 0 } = machine.perform(argv, caller);
  run.set(fileOf(name, 'code'), String(exitCode));
  run.set(fileOf(name, 'out'), Buffer.concat([stdout, stderr]).toString('latin1'));
  run.set(fileOf(name, 'started-at-ms'), String(machine.uptimeMs));
  run.set(fileOf(name, 'ends-at-ms'), String(machine.uptimeMs + tookMs));
  return said();
}

/** It looks ahead to what it will see when it has waited, and takes so long. */
function look(
  { run, uptimeMs, isRunReadOnly }: Machine,
  { name, offset, waitS }: LookRequest,
): MachineAnswer {
  const code = run.get(fileOf(name, 'code'));
  const leftMs = Math.max(0, Number(run.get(fileOf(name, 'ends-at-ms')) ?? 0) - uptimeMs);
  const tookMs = Math.min(leftMs, waitS * 1000);
  const isOver = code !== undefined && tookMs === leftMs;
  const state = code === undefined ? 'none -' : isOver ? `ended ${code}` : 'running -';
  const output = isOver ? (run.get(fileOf(name, 'out')) ?? '') : '';
  const sight = isOver && !run.has(fileOf(name, 'reported')) ? 'first' : '-';
  if (isOver && !isRunReadOnly) run.set(fileOf(name, 'reported'), '');
  const ago = (file: string) => Math.floor((uptimeMs + tookMs - Number(run.get(fileOf(name, file)))) / 1000);
  const times = code === undefined ? '- -' : `${ago('started-at-ms')} ${isOver ? ago('ends-at-ms') : '-'}`;
  const line = `${LOOK_BEGIN} ${state} ${output.length} ${offset} ${sight} ${times}\n`;
  return { ...said(line + output.slice(offset, offset + CHUNK_BYTES)), tookMs };
}

/** For every system. */
export const jobsFake: MachineFake = {
  blueprints: {},
  launches: (argv: Argv) => startedBy(argv)?.argv,
  answer: (machine, argv, caller) => {
    const job = startedBy(argv);
    if (job !== undefined) return start(machine, job, caller);
    if (isRunCheck(argv)) return machine.isRunReadOnly ? runReadOnly('.probe') : said(RUN_IS_WRITABLE);
    const request = askedBy(argv);
    return request && look(machine, request);
  },
};
