import type { HostProgress } from '#client/host-progress.ts';
import type { Paint } from './host-paint.ts';
import { paintOf } from './host-paint.ts';

export interface Sought {
  /** Only those that are so far; `undefined`: all. */
  readonly show: Paint | undefined;
  /** As it was typed: a part of an address, or of a problem. */
  readonly text: string;
}

export function foundHosts(hosts: readonly HostProgress[], { show, text }: Sought): readonly HostProgress[] {
  const wanted = text.trim().toLowerCase();
  if (show === undefined && wanted === '') return hosts;
  return hosts.filter(
    ({ address, state, problem }) =>
      (show === undefined || paintOf(state) === show) &&
      (address.includes(wanted) || problem.toLowerCase().includes(wanted)),
  );
}
