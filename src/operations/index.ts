// What Hostler does on hosts, as lists of steps. The engine makes them happen; nothing here knows how.

import type { Host } from '../domain/host.ts';
import type { WorkOf } from '../domain/work.ts';
import type { BootstrapSettings } from './bootstrap.ts';
import { bootstrap } from './bootstrap.ts';
import { join } from './join.ts';
import { leave } from './leave.ts';
import type { Operation } from './step.ts';

/** One for each kind of work; what a removed host still needs knows that it may be gone. */
export interface Operations {
  readonly bootstrap: Operation<WorkOf<'bootstrap'>>;
  readonly join: Operation<WorkOf<'join'>>;
  readonly leave: Operation<WorkOf<'leave'>, Host | null>;
}

export const createOperations = (settings: BootstrapSettings): Operations => ({
  bootstrap: bootstrap(settings),
  join,
  leave,
});
