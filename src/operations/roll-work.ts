import type { WorkOf } from '../domain/work/work.ts';
import { isToBeProvedOnly } from './rolling/already-there.ts';
import { apply } from './rolling/apply.ts';
import { arm } from './rolling/arm.ts';
import { callOff } from './rolling/call-off.ts';
import { comeBack } from './rolling/come-back.ts';
import { cordon, uncordon, undoCordon } from './rolling/cordon.ts';
import { drain } from './rolling/drain.ts';
import { lockAgain } from './rolling/lock-again.ts';
import { send } from './rolling/send.ts';
import type { RollStep } from './rolling/stance.ts';
import { stanceOf } from './rolling/stance.ts';
import { verify } from './rolling/verify.ts';
import type { Procedure } from './step.ts';

/** Up to here nothing has happened to the host itself. */
const UNTOUCHED: readonly string[] = ['cordon', 'drain'] satisfies RollStep[];
/** From here until the host is back, what was applied may wait for any boot. */
const APPLIED: readonly string[] = ['apply', 'plan_reboot', 'reboot', 'wait_for_reboot'] satisfies RollStep[];
/** What breaks here breaks on the next host too: a bad version, a package that cannot be installed, a boot that does not come up. */
const TELLING: readonly string[] = [
  'apply',
  'reboot',
  'wait_for_reboot',
  'verify',
  'uncordon',
] satisfies RollStep[];

/** What an operation does on a host that has a slot. */
export function rollWork(work: WorkOf<'rollout'>): Procedure<WorkOf<'rollout'>> {
  const { operationKind, policy, prepared } = work;
  const isDrained = policy.drain !== null;
  const isApplied = operationKind !== 'restart';
  // An attempt before has brought it there, and has not proved it.
  const isThere = isToBeProvedOnly(prepared);
  const disturbing = [...(isDrained ? [drain] : []), ...(isApplied ? [apply] : []), arm, send, comeBack];
  return {
    kind: 'rollout',
    steps: [
      ...(isDrained ? [cordon(work)] : []),
      ...(isThere ? [] : disturbing.map(step => step(work))),
      verify(work),
      ...(isDrained ? [uncordon(work)] : []),
    ],
    needsHost: true,
    causeOfFailure: null,
    stanceOf: (step, unwanted) => stanceOf(operationKind, step, unwanted),
    // A host that is not proved stays cordoned, and its record says so.
    retreatFrom: ({ from, why }) => {
      const isUntouched = UNTOUCHED.includes(from) || (from === 'plan_reboot' && !isApplied);
      const isCalledOff = typeof why === 'string' && from === 'reboot' && !isApplied;
      return [
        ...(from === 'reboot' ? [callOff] : []),
        ...(isApplied && APPLIED.includes(from) ? [lockAgain(from)] : []),
        ...(isDrained && (isUntouched || isCalledOff) ? [undoCordon(work)] : []),
      ];
    },
    isTelling: step => TELLING.includes(step) || (step === 'plan_reboot' && isApplied),
  };
}
