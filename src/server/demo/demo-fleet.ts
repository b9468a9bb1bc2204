// The demo fleet: fifty simulated hosts in three clusters, some of them with a fault. All hosts of `compute`
// become active, so a restart with the default policy succeeds. In `web` and `edge` a failed host uses the
// only slot of max_unavailable 1, so a restart with the default policy fails immediately.

import type { Fault } from '../../simulator/faults.ts';

export interface DemoCluster {
  readonly name: string;
  readonly containerManager: string;
  readonly systems: Readonly<Record<string, number>>;
  /** The second number of the addresses: 127.x.0.1 and up. The server never connects to these addresses. */
  readonly subnet: number;
  readonly bootMs: number;
}

export const DEMO_CLUSTERS: readonly DemoCluster[] = [
  { name: 'web', containerManager: '', systems: { debian: 12, ubuntu: 8 }, subnet: 81, bootMs: 5000 },
  {
    name: 'compute',
    containerManager: 'nodes',
    systems: { coreos: 10, fedora: 3, rocky: 2 },
    subnet: 82,
    bootMs: 5000,
  },
  {
    name: 'edge',
    containerManager: '',
    systems: { flatcar: 7, opensuse: 4, atomic: 4 },
    subnet: 83,
    bootMs: 20_000,
  },
];

/** Members of `web` with this label are upgraded by the demo scenario. One of them has a fault. */
export const FIRST_RING = {
  label: 'ring=first',
  hosts: ['127.81.0.11', '127.81.0.12', '127.81.0.13', '127.81.0.14', '127.81.0.16', '127.81.0.17'],
};

interface FaultyHost {
  readonly faults?: readonly Fault[];
  readonly osRelease?: string;
  readonly description: string;
}

export const FAULTY_HOSTS: Readonly<Record<string, FaultyHost>> = {
  '127.81.0.4': {
    faults: [{ kind: 'unreachable', times: 4 }],
    description: 'sshd starts late: the host becomes active after a few retries',
  },
  '127.81.0.9': {
    faults: [{ kind: 'auth_rejected' }],
    description: 'rejects the login: failed, with the reason in its status',
  },
  '127.81.0.12': {
    faults: [{ kind: 'disk_full' }],
    description: 'the disk is full: active, but an upgrade fails',
  },
  '127.81.0.15': {
    faults: [{ kind: 'slow', connectMs: 3000, commandMs: 2000 }],
    description: 'responds slowly, but works',
  },
  '127.82.0.12': {
    faults: [{ kind: 'cut', tookEffect: true, times: 2 }],
    description: 'the connection breaks during commands: Hostler retries them',
  },
  '127.83.0.2': {
    faults: [{ kind: 'unreachable' }],
    description: 'is never reachable: investigating for 30 minutes, then failed',
  },
  '127.83.0.9': {
    osRelease: 'NAME="Slackware"\nID=slackware\nVERSION_ID=15.0\n',
    description: 'has an unsupported operating system: the bootstrap fails',
  },
};
