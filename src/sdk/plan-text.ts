import type { Static } from 'typebox';
import type { DryRun } from '../contract/routes/cluster-operations.ts';
import { formatHostCount, toHostCount } from './blocking-hosts.ts';

type Plan = Pick<
  Static<typeof DryRun>,
  'kind' | 'version' | 'cluster' | 'hosts' | 'members' | 'policy' | 'estimated_duration_s'
>;

const VERBS = { restart: 'Restarts', upgrade: 'Upgrades' } as const;

/** `about a minute`, `about 25 minutes`, `about 3 hours`. */
function formatEstimate(seconds: number): string {
  if (seconds < 90) return 'about a minute';
  const minutes = Math.round(seconds / 60);
  return minutes < 180 ? `about ${minutes} minutes` : `about ${Math.round(minutes / 60)} hours`;
}

const formatSubject = (startable: number, members: number): string => {
  if (startable !== members) return `${startable} of ${formatHostCount(members)}`;
  return members === 1 ? 'the only host' : `all ${members} hosts`;
};

/** What an operation that can start would do: `Restarts 14 of 15 hosts of edge, at most 2 at a time, about 25 minutes.` */
export function describePlan(plan: Plan): string {
  const { kind, version = '', cluster, hosts, members, policy, estimated_duration_s: estimate } = plan;
  const startable = hosts.filter(({ problem }) => problem === undefined).length;
  if (startable === 0) return `The ${kind} would change no host of ${cluster}.`;
  const verb = kind === 'deploy' ? `Deploys ${version} to` : VERBS[kind];
  const limit = toHostCount(policy.max_unavailable, members);
  return [
    `${verb} ${formatSubject(startable, members)} of ${cluster}`,
    ...(startable === 1 ? [] : [limit === 1 ? 'one at a time' : `at most ${Math.min(limit, startable)} at a time`]),
    ...(estimate === null ? [] : [formatEstimate(estimate)]),
  ]
    .join(', ')
    .concat('.');
}
