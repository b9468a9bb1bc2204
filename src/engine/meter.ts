import type { CheckResult, OperationKind, OperationState, WorkKind } from '../domain/vocabulary.ts';
import type { JobEnd } from '../operations/jobs/job-end.ts';
import type { Outcome } from '../operations/step.ts';
import type { TurnKind } from './shares.ts';

/** Who counts what the engine does. It is told after the fact, and decides nothing. */
export interface EngineMeter {
  turnBegan(kind: TurnKind): void;
  turnEnded(kind: TurnKind): void;
  /** Somebody else may have the host by now. */
  claimLost(kind: TurnKind): void;
  /** It is tried again. */
  turnBroke(kind: TurnKind): void;
  leaseLost(): void;
  /** What servers had that are not heard of any more is free. */
  tookOver(): void;
  jobEnded(result: JobEnd['result']): void;
  stepEnded(work: WorkKind, step: string, outcome: Outcome['kind'], seconds: number): void;
  checkEnded(result: CheckResult, seconds: number): void;
  operationEnded(kind: OperationKind, state: OperationState): void;
}
