import type { Static } from 'typebox';
import { duration } from '#client/times.ts';
import type { Policy } from '#contract/policy.ts';
import { counted } from '../ui/words/counted.ts';

type PolicyHeld = Static<typeof Policy>;

const s = (seconds: number) => duration(seconds * 1000);

/** What of a policy decides how it goes on, as whoever watches wants to know it. */
export function paceSentences({
  canary,
  ramp,
  window,
  on_failure,
  min_healthy_s,
  stage_parallel,
  unhealthy,
  max_excluded,
  wait,
  timeouts,
}: PolicyHeld): readonly string[] {
  return [
    ...(canary === 0
      ? []
      : [
          `${counted(canary, 'host')} ${canary === 1 ? 'goes' : 'go'} first; the rest wait until ${canary === 1 ? 'it is' : 'all of them are'} proved.`,
        ]),
    ...(ramp ? ['1, 2, 4, … at once, growing as hosts are proved.'] : []),
    ...(window === null
      ? []
      : [`New hosts are started ${window.days.join(', ')} ${window.start}–${window.end} (${window.zone}).`]),
    ...(unhealthy === 'exclude'
      ? [`Hosts that are down at the start are excluded, at most ${max_excluded}.`]
      : []),
    ...(wait ? [`The operation waits up to ${s(timeouts.ready)} for hosts that use up the budget.`] : []),
    `A host must stay healthy for ${s(min_healthy_s)}; up to ${stage_parallel} prepare at once.`,
    on_failure === 'fail'
      ? 'With one failure more than allowed it fails.'
      : 'With one failure more than allowed it pauses until somebody decides.',
  ];
}
