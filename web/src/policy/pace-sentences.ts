import type { Static } from 'typebox';
import { duration } from '#client/times.ts';
import type { Policy } from '#contract/policy.ts';
import { counted } from '../ui/words/counted.ts';

type PolicyHeld = Static<typeof Policy>;

const s = (seconds: number) => duration(seconds * 1000);

const failuresWords = (most: number | string): string => {
  if (most === 0 || most === '0%') return 'a host fails';
  return `more than ${typeof most === 'number' ? counted(most, 'host') : `${most} of the hosts`} ${most === 1 ? 'fails' : 'fail'}`;
};

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
  max_failures,
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
      ? [`Hosts that are already unavailable are excluded, at most ${max_excluded}.`]
      : []),
    ...(wait ? [`The operation waits up to ${s(timeouts.ready)} for unavailable hosts.`] : []),
    `A host must stay healthy for ${s(min_healthy_s)}. Up to ${counted(stage_parallel, 'host')} ${stage_parallel === 1 ? 'prepares' : 'prepare'} at the same time.`,
    `The operation ${on_failure}s if ${failuresWords(max_failures)}.`,
  ];
}
