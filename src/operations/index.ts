// What Hostler does on hosts, as lists of steps. The engine makes them happen; nothing here knows how.

import type { Host } from '../domain/hosts/host.ts';
import type { Work } from '../domain/work/work.ts';
import type { BootstrapSettings } from './bootstrap.ts';
import { bootstrap } from './bootstrap.ts';
import { join } from './join.ts';
import { leave } from './leave.ts';
import { rollWork } from './roll-work.ts';
import { stageWork } from './stage-work.ts';
import type { Procedure } from './step.ts';

/** The kind of the work picks the procedure, so that each of its steps gets the work and the host that it is written for. */
export type AnyProcedure = Omit<Procedure<Work, Host | null>, 'needsHost'> & { readonly needsHost: boolean };

export interface Operations {
  /** What is to be done for a piece of work. What a removed host still needs knows that it may be gone. */
  procedureFor(work: Work): AnyProcedure;
}

export function createOperations(settings: BootstrapSettings): Operations {
  const bootstrapping = bootstrap(settings);
  return {
    procedureFor: work => {
      switch (work.kind) {
        case 'bootstrap':
          return bootstrapping;
        case 'join':
          return join;
        case 'leave':
          return leave;
        case 'stage':
          return stageWork(work);
        case 'rollout':
          return rollWork(work);
      }
    },
  };
}
