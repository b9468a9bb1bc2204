// A procedure is the list of steps for a task. The engine runs the steps.

import type { Host } from '../domain/hosts/host.ts';
import type { Task } from '../domain/tasks/task.ts';
import type { BootstrapSettings } from './membership/membership-procedures.ts';
import { bootstrapProcedure, joinProcedure, leaveProcedure } from './membership/membership-procedures.ts';
import { rolloutProcedure, stageProcedure } from './rollout/rollout-procedures.ts';
import type { Procedure } from './step.ts';

/** Procedures are selected by task kind, so each step gets the task and host types that it declares. */
export type TaskProcedure = Omit<Procedure<Task, Host | null>, 'needsHost'> & { readonly needsHost: boolean };

export interface Procedures {
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
