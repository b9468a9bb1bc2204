// A job is a command on a host that outlives the connection that started it. It is known by its name: whoever starts it again, from
// whatever server, finds it there, waits for it and reads on. What must hold: under one name a command runs once, however often and
// by however many it is started, until the host is booted or the end of it is a day old; a job is never killed, since a package manager that was broken off is
// worse than one that takes long. All that is known of it is in a folder of its own under /run, on the host.

import { createHash } from 'node:crypto';
import type { Argv } from '../../domain/command.ts';
import type { SavedTask } from '../../domain/tasks/task.ts';

export interface Job {
  /** See `jobNameOf`. */
  readonly name: string;
  readonly argv: Argv;
}

/** Where the folders of all jobs are; nobody but root may look. */
export const JOBS_FOLDER = '/run/hostler';

/** Good for a folder and for a unit of systemd, whose names end at 255 characters. */
const NAME = /^[a-z0-9][a-z0-9-]{0,127}$/;

export function assertJobName(name: string): string {
  if (!NAME.test(name)) throw new Error(`invalid job name ${JSON.stringify(name)}`);
  return name;
}

/**
 * What the names of a step's jobs begin with: the same until a round of it is over. The number of the work alone would not do: a
 * store that was made anew counts from one again, and would find the jobs of the old one.
 */
export function jobPrefixOf({ id, task, state }: SavedTask, step: string): string {
  const owner = createHash('sha256').update(`${task.enrolment} ${id}`).digest('hex').slice(0, 20);
  return assertJobName(`${task.kind}-${step.replaceAll('_', '-')}-${owner}-${state.jobRound}`);
}

/** One of the jobs of a step, by its number. */
export const jobName = (prefix: string, index: number): string => assertJobName(`${prefix}-${index}`);
