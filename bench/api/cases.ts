import type { LoadRequest } from '../load-generator.ts';
import { toAddress, toClusterName } from '../seed-store.ts';
import { createAdminRequest } from './requests.ts';

export const HOSTS = 10_000;
export const CONNECTIONS = 32;

export interface Case {
  readonly name: string;
  /** Requests per round. */
  readonly count: number;
  readonly request: (index: number) => LoadRequest;
  /** Target on SQLite, as a share of the baseline. */
  readonly target?: number;
}

const get = (route: string): LoadRequest => createAdminRequest('GET', route);
const network = { type: 'none', options: {} };

export const getCluster: Case = {
  name: 'GET cluster',
  count: 10_000,
  request: index => get(`/cluster/${toClusterName(index)}`),
  target: 0.6,
};
export const CASES: readonly Case[] = [
  {
    name: 'GET host',
    count: 10_000,
    request: index => get(`/host/${toAddress((index * 37) % HOSTS)}`),
    target: 0.6,
  },
  getCluster,
  {
    name: 'GET hosts, page of 100',
    count: 3000,
    request: index => get(`/hosts?limit=100&after=${toAddress((index * 37) % (HOSTS - 200))}`),
    target: 0.5,
  },
  { name: 'GET hosts, all', count: 40, request: () => get('/hosts') },
  {
    name: 'PUT network',
    count: 2000,
    request: index => createAdminRequest('PUT', `/network/bench-${index}-${process.hrtime.bigint()}`, network),
  },
];
