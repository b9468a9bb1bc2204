import type { Host } from '../domain/hosts/host.ts';
import type { Task } from '../domain/tasks/task.ts';
import type { TaskKind } from '../domain/vocabulary.ts';
import type { BootstrapSettings } from './membership/membership-procedures.ts';
import { bootstrapProcedure, joinProcedure, leaveProcedure } from './membership/membership-procedures.ts';
import { rolloutProcedure, stageProcedure } from './rollout/rollout-procedures.ts';
import type { Procedure } from './step.ts';

/** Procedures are selected by task kind, so each step gets the task and host types that it declares. */
export type TaskProcedure = Omit<Procedure<Task, Host | null>, 'needsHost'> & { readonly needsHost: boolean };

export type Procedures = Readonly<Record<TaskKind, TaskProcedure>>;

export const createProcedures = (settings: BootstrapSettings): Procedures => ({
  bootstrap: bootstrapProcedure(settings),
  join: joinProcedure,
  leave: leaveProcedure,
  stage: stageProcedure,
  rollout: rolloutProcedure,
});
