// A job is a command on a host that outlives the SSH connection. It is identified by its name: starting it again, from
// any server, attaches to the running or finished job. Its state is in a folder under /run on the host.
//
// Invariants:
// - A name runs its command at most once, until the host reboots or a day after the job ended.
// - A job is never killed, because an interrupted package manager does more harm than a slow one.

import { createHash } from 'node:crypto';
import type { Argv } from '../../domain/command.ts';
import type { SavedTask } from '../../domain/tasks/task.ts';

export interface Job {
  readonly name: string;
  readonly argv: Argv;
}

/** Accessible by root only. */
export const JOBS_FOLDER = '/run/hostler';

/** Valid as a folder name and in a systemd unit name, which is limited to 255 characters. */
const NAME = /^[a-z0-9][a-z0-9-]{0,127}$/;

export function assertJobName(name: string): string {
  if (!NAME.test(name)) throw new Error(`invalid job name ${JSON.stringify(name)}`);
  return name;
}

/** Includes the enrolment: task ids start at 1 in a new store and would match jobs of the old store. */
export function jobPrefixOf({ id, task, state }: SavedTask, step: string): string {
  const owner = createHash('sha256').update(`${task.enrolment} ${id}`).digest('hex').slice(0, 20);
  return assertJobName(`${task.kind}-${step.replaceAll('_', '-')}-${owner}-${state.jobRound}`);
}

export const jobName = (prefix: string, index: number): string => assertJobName(`${prefix}-${index}`);
