import type { Static } from 'typebox';
import { duration } from '#client/times.ts';
import type { Policy } from '#contract/policy.ts';

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
}: PolicyHeld): readonly string[] {
  return [
    ...(canary === 0
      ? []
      : [
          `${canary === 1 ? '1 host goes' : `${canary} hosts go`} first; the rest wait until ${canary === 1 ? 'it is' : 'all of them are'} proved.`,
        ]),
    ...(ramp ? ['1, 2, 4, … at once, growing as hosts are proved.'] : []),
    ...(window === null
      ? []
      : [`New hosts are started ${window.days.join(', ')} ${window.start}–${window.end} (${window.zone}).`]),
    `A host must stay healthy for ${s(min_healthy_s)}; up to ${stage_parallel} prepare at once.`,
    on_failure === 'fail'
      ? 'With one failure more than allowed it fails.'
      : 'With one failure more than allowed it pauses until somebody decides.',
  ];
}

const orNone = (texts: readonly string[], none: string) => (texts.length === 0 ? none : texts.join(', '));

/** Every field, with what it says. */
export function policyRows(policy: PolicyHeld): readonly (readonly [name: string, value: string])[] {
  const { window, drain, timeouts, check, hosts, order } = policy;
  return [
    ['max_unavailable', String(policy.max_unavailable)],
    ['canary', String(policy.canary)],
    ['ramp', policy.ramp ? 'yes' : 'no'],
    ['max_failures', String(policy.max_failures)],
    ['on_failure', policy.on_failure],
    ['hosts', hosts === null ? 'all members' : orNone(hosts, 'none')],
    ['labels', orNone(policy.labels, 'any')],
    ['order', order === 'address' ? 'by address' : orNone(order, 'by address')],
    ['stage_parallel', String(policy.stage_parallel)],
    ['reboot', policy.reboot],
    ['check', check === null ? 'none' : check.join(' ')],
    ['min_healthy_s', s(policy.min_healthy_s)],
    [
      'window',
      window === null
        ? 'at any time'
        : `${window.days.join(', ')} ${window.start}–${window.end} ${window.zone}`,
    ],
    ['drain', drain === false ? 'no' : `up to ${s(drain.timeout_s)}, then ${drain.on_timeout}`],
    [
      'timeouts',
      Object.entries(timeouts)
        .map(([part, seconds]) => `${part} ${s(seconds)}`)
        .join(', '),
    ],
  ];
}
