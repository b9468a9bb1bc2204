import { amountText, exceedsMaxExcluded, remediesFor } from '#client/blocking-hosts.ts';
import { duration } from '#client/times.ts';
import type { Wish } from '../../policy/policy-draft.ts';
import { Button } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { counted } from '../../ui/words/counted.ts';
import { OutageActions, OutageList } from '../outage-list.tsx';
import { blockedEffect, blockedWords } from './plan-words.ts';
import type { Plan } from './put-operation.ts';

interface BlockedStartProps {
  readonly plan: Plan;
  /** How many members the cluster has. */
  readonly members: number;
  readonly isBusy: boolean;
  /** Previews again with these policy fields. */
  readonly onChange: (fields: Wish) => void;
}

const EFFECTS = {
  fail: 'If you start the operation now, it fails immediately.',
  pause: 'If you start the operation now, it pauses immediately.',
} as const;

/** Hosts that are already unavailable keep the operation from starting: which ones, and what can be done. */
export function BlockedStart({ plan, members, isBusy, onChange }: BlockedStartProps) {
  const effect = blockedEffect(plan);
  if (effect === undefined) return null;
  const { policy, blocked_by: hosts } = plan;
  const start = { policy, blockedBy: hosts, members };
  const { exclude, raise, wait } = remediesFor(start);
  const longest = duration(policy.timeouts.ready * 1000);
  return (
    <Callout tone="warn" role="status">
      <p>
        <strong>{blockedWords(plan, members)}</strong>{' '}
        {effect === 'wait' ? `The operation waits up to ${longest} for them.` : EFFECTS[effect]}
      </p>
      <OutageList hosts={hosts} />
      {exceedsMaxExcluded(start) && (
        <p>
          To exclude {counted(hosts.length, 'host')}, “Max excluded” is raised from{' '}
          {amountText(policy.max_excluded, members)} to {hosts.length} for this operation.
        </p>
      )}
      <OutageActions>
        <Button size="small" isBusy={isBusy} onClick={() => onChange(exclude)}>
          Exclude {counted(hosts.length, 'host')}
        </Button>
        {raise !== undefined && (
          <Button size="small" isBusy={isBusy} onClick={() => onChange(raise)}>
            Raise the limit to {counted(raise.max_unavailable, 'host')}
          </Button>
        )}
        {wait !== undefined && !policy.wait && (
          <Button size="small" isBusy={isBusy} onClick={() => onChange(wait)}>
            Wait for {hosts.length === 1 ? 'this host' : 'these hosts'}
          </Button>
        )}
      </OutageActions>
    </Callout>
  );
}
