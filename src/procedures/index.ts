// What Hostler does on hosts, as lists of steps. The engine makes them happen; nothing here knows how.

import type { Host } from '../domain/hosts/host.ts';
import type { Task } from '../domain/tasks/task.ts';
import type { BootstrapSettings } from './membership/membership-procedures.ts';
import { bootstrapProcedure, joinProcedure, leaveProcedure } from './membership/membership-procedures.ts';
import { rolloutProcedure, stageProcedure } from './rollout/rollout-procedures.ts';
import type { Procedure } from './step.ts';

/** The kind of the work picks the procedure, so that each of its steps gets the work and the host that it is written for. */
export type TaskProcedure = Omit<Procedure<Task, Host | null>, 'needsHost'> & { readonly needsHost: boolean };

export interface Procedures {
  /** What is to be done for a piece of work. What a removed host still needs knows that it may be gone. */
  procedureFor(task: Task): TaskProcedure;
}

export function createProcedures(settings: BootstrapSettings): Procedures {
  const bootstrap = bootstrapProcedure(settings);
  return {
    procedureFor: task => {
      switch (task.kind) {
        case 'bootstrap':
          return bootstrap;
        case 'join':
          return joinProcedure;
        case 'leave':
          return leaveProcedure;
        case 'stage':
          return stageProcedure(task);
        case 'rollout':
          return rolloutProcedure(task);
      }
    },
  };
}
