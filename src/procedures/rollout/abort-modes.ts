import type { AbortReason, OperationKind } from '../../domain/vocabulary.ts';
import type { AbortMode } from '../step.ts';

export type RolloutStep =
  | 'cordon'
  | 'drain'
  | 'apply'
  | 'plan_reboot'
  | 'reboot'
  | 'wait_for_reboot'
  | 'verify'
  | 'uncordon';

type AbortRule = Readonly<Record<AbortReason, (kind: OperationKind) => AbortMode>>;

const always = (mode: AbortMode): AbortRule => ({ cancelled: () => mode, by_hand: () => mode });
/** Applied changes take effect only after the reboot, so a cancelled upgrade or deploy completes the host. */
const unlessChangesApplied =
  (mode: AbortMode) =>
  (kind: OperationKind): AbortMode =>
    kind === 'restart' ? mode : 'continue';

/** `cancelled`: the operation is cancelled. `by_hand`: a user skips the host. */
const ABORT_MODES: Readonly<Record<RolloutStep, AbortRule>> = {
  cordon: always('rollback'),
  drain: always('rollback'),
  apply: always('continue'),
  plan_reboot: { cancelled: unlessChangesApplied('rollback'), by_hand: () => 'rollback' },
  reboot: { cancelled: unlessChangesApplied('step_decides'), by_hand: () => 'step_decides' },
  wait_for_reboot: { cancelled: () => 'continue', by_hand: () => 'rollback' },
  verify: { cancelled: () => 'continue', by_hand: () => 'rollback' },
  uncordon: always('continue'),
};

const isRolloutStep = (step: string): step is RolloutStep => Object.hasOwn(ABORT_MODES, step);

export const abortModeOf = (kind: OperationKind, step: string, abortReason: AbortReason): AbortMode =>
  isRolloutStep(step) ? ABORT_MODES[step][abortReason](kind) : 'continue';
