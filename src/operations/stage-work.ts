import type { WorkOf } from '../domain/work/work.ts';
import { preflight } from './rolling/preflight.ts';
import { stage } from './rolling/stage.ts';
import type { Procedure } from './step.ts';

/** What an operation does on a host before it has a slot: nothing that anybody would notice. */
export const stageWork = (work: WorkOf<'stage'>): Procedure<WorkOf<'stage'>> => ({
  kind: 'stage',
  steps: [preflight(work), ...(work.operationKind === 'restart' ? [] : [stage(work)])],
  needsHost: true,
  causeOfFailure: null,
});
