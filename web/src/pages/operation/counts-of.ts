import type { HostProgress, Part } from '#client/host-progress.ts';
import { partOf } from '#client/host-progress.ts';
import type { HostCounts } from '../../ui/counts-bar.tsx';

const COUNTED_AS: Readonly<Record<Exclude<Part, 'ended'>, 'pending' | 'preparing' | 'in_flight'>> = {
  waiting: 'pending',
  preparing: 'preparing',
  'in flight': 'in_flight',
};

/** How many hosts are how far, as the service counts them. */
export function countsOf(hosts: readonly HostProgress[]): HostCounts {
  const counts = { pending: 0, preparing: 0, in_flight: 0, done: 0, failed: 0, skipped: 0 };
  for (const host of hosts) {
    const { state } = host;
    const part = partOf(host);
    if (part !== 'ended') counts[COUNTED_AS[part]] += 1;
    else if (state === 'done' || state === 'failed' || state === 'skipped') counts[state] += 1;
  }
  return { total: hosts.length, ...counts };
}
