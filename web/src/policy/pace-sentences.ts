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
          `${counted(canary, 'canary host')} ${canary === 1 ? 'runs' : 'run'} first; the rest start after ${canary === 1 ? 'it is' : 'all of them are'} verified.`,
        ]),
    ...(ramp ? ['Ramps up: 1, 2, 4, … hosts at a time as hosts are verified.'] : []),
    ...(window === null
      ? []
      : [`New hosts start only ${window.days.join(', ')} ${window.start}–${window.end} (${window.zone}).`]),
    ...(unhealthy === 'exclude'
      ? [`Hosts that are down at the start are excluded, at most ${max_excluded}.`]
      : []),
    ...(wait ? [`The operation waits up to ${s(timeouts.ready)} for hosts that use up the budget.`] : []),
    `A host must stay healthy for ${s(min_healthy_s)}. Up to ${counted(stage_parallel, 'host')} ${stage_parallel === 1 ? 'prepares' : 'prepare'} at the same time.`,
    on_failure === 'fail'
      ? 'The operation fails when more hosts fail than allowed.'
      : 'The operation pauses when more hosts fail than allowed.',
  ];
}
