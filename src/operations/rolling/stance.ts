import type { OperationKind, SkipReason } from '../../domain/vocabulary.ts';
import type { Stance } from '../step.ts';

/** The steps of a host that has a slot. */
export type RollStep =
  | 'cordon'
  | 'drain'
  | 'apply'
  | 'plan_reboot'
  | 'reboot'
  | 'wait_for_reboot'
  | 'verify'
  | 'uncordon';

type Cancelled = Readonly<Record<'cancelled' | 'by_hand', (kind: OperationKind) => Stance>>;

const always = (stance: Stance): Cancelled => ({ cancelled: () => stance, by_hand: () => stance });
/** What was applied counts only after the reboot: who cancels gets hosts that are whole. */
const unlessApplied =
  (stance: Stance) =>
  (kind: OperationKind): Stance =>
    kind === 'restart' ? stance : 'carry on';

/** What each step does when its host is not wanted any more: for the whole operation, or by a person who skips the host. */
const STANCES: Readonly<Record<RollStep, Cancelled>> = {
  cordon: always('retreat'),
  drain: always('retreat'),
  apply: always('carry on'),
  plan_reboot: { cancelled: unlessApplied('retreat'), by_hand: () => 'retreat' },
  reboot: { cancelled: unlessApplied('ask it'), by_hand: () => 'ask it' },
  wait_for_reboot: { cancelled: () => 'carry on', by_hand: () => 'retreat' },
  verify: { cancelled: () => 'carry on', by_hand: () => 'retreat' },
  uncordon: always('carry on'),
};

const isRollStep = (step: string): step is RollStep => Object.hasOwn(STANCES, step);

export const stanceOf = (kind: OperationKind, step: string, unwanted: SkipReason): Stance =>
  isRollStep(step) ? STANCES[step][unwanted === 'by_hand' ? 'by_hand' : 'cancelled'](kind) : 'carry on';
