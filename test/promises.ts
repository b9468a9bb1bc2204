// What Hostler promises its users, and the tests that show it. `npm run test:all` ends with a summary by promise. A file
// can show several promises. Patterns are matched against the path in the checkout.

import path from 'node:path';

export interface ProductPromise {
  readonly text: string;
  readonly files: readonly string[];
}

const OPERATIONS = 'test/engine/operations';

export const PROMISES: readonly ProductPromise[] = [
  {
    text: 'Never more than max_unavailable hosts are down',
    files: [
      `${OPERATIONS}/{budget,model-*,partitions,scenarios,unhealthy-members}.test.ts`,
      'test/hosts/{rolling-*,unhealthy-members}*.test.ts',
      'test/chaos/*.test.ts',
      'src/domain/rollout/*.test.ts',
    ],
  },
  {
    text: 'A host reboots at most once per attempt',
    files: [
      `${OPERATIONS}/{frozen-owner,killed-at-every-commit,model-*,mutations.long,retried-host}.test.ts`,
      'test/hosts/{reboot,rolling-*}*.test.ts',
      'test/chaos/*.test.ts',
      'src/procedures/reboot/*.test.ts',
    ],
  },
  {
    text: 'A host is done only after a proof: new boot, applied version, healthy',
    files: [
      `${OPERATIONS}/{applied-image,failed-hosts,running-operation}.test.ts`,
      'test/hosts/{failing-restart,kubernetes-cluster,rolling-*}*.test.ts',
      'src/procedures/rollout/*.test.ts',
    ],
  },
  {
    text: 'A crash loses no acknowledged change and no running operation',
    files: [
      'test/engine/{killed-at-every-commit,lost-responses}.test.ts',
      `${OPERATIONS}/{after-restore,killed-at-every-commit}.test.ts`,
      'test/process/{backup*,durability,full-disk}*.test.ts',
      'test/api/{damaged-store,store-outage}.test.ts',
      'test/chaos/*.test.ts',
    ],
  },
  {
    text: 'Several servers share the work, and a frozen server changes nothing after it lost its lease',
    files: [
      'test/engine/{frozen-owner,multiple-servers,task-sharing}.test.ts',
      `${OPERATIONS}/frozen-owner.test.ts`,
      'test/chaos/*.test.ts',
      'src/engine/lease*.test.ts',
    ],
  },
  {
    text: 'No command runs on a host whose key is not the recorded one',
    files: [
      'test/hosts/{enrolment,host-lifecycle,transports}.test.ts',
      'test/api/host-keys.test.ts',
      'src/drivers/transport/**/*.test.ts',
    ],
  },
  {
    text: 'Secrets are encrypted at rest and in no log, error, event or process list',
    files: [
      'test/{hosts,process}/secrets.test.ts',
      'test/process/rotation.test.ts',
      'test/installing/no-secrets.test.ts',
      'src/secrets/*.test.ts',
      'src/app/rotate-keys.integration.test.ts',
    ],
  },
  {
    text: 'Every request gets one documented response, and a rejected request changes nothing',
    files: [
      'test/api/{arbitrary-requests,http,http-bytes,single-response,slow-clients,truncated-requests}.test.ts',
      'test/fuzz/*.test.ts',
    ],
  },
  { text: 'The API behaves as specified, on both stores', files: ['test/api/*.test.ts'] },
  {
    text: 'An account can do what its role allows, and nothing else',
    files: ['test/api/{accounts,roles,session-*,tokens}.test.ts', 'src/app/auth/*.test.ts'],
  },
  {
    text: 'Each subscriber receives each event once and in order',
    files: [
      'test/api/{event-limits*,events,webhooks}.test.ts',
      'src/events/**/*.test.ts',
      'src/sdk/event-stream.integration.test.ts',
    ],
  },
  {
    text: 'Every audit entry is kept unchanged, or the change is detected',
    files: ['test/api/audit.test.ts', 'test/process/audit.test.ts'],
  },
  {
    text: 'Drivers behave the same for every system, transport, network and container manager',
    files: [
      'src/drivers/**/*.test.ts',
      'test/toy-*/*.test.ts',
      'test/hosts/{flannel,os-queries,systemd-hosts}*.test.ts',
    ],
  },
  {
    text: 'The dashboard is accessible and shows text of hosts and users as text',
    files: ['test/web/*.test.ts'],
  },
  { text: 'The command line shows progress, errors and exit codes as documented', files: ['test/cli/*.test.ts'] },
  { text: 'Commands in the documentation work as shown', files: ['test/documents/*.test.ts', 'test/docs.test.ts'] },
  {
    text: 'Hostler installs and starts with one command',
    files: ['test/installing/*.test.ts', 'test/process/{demo,failed-start,installation,lifecycle}.test.ts'],
  },
  {
    text: 'Memory, files and tables do not grow without limit',
    files: ['test/soak/*.test.ts', 'test/process/heap.test.ts', 'test/data-retention.test.ts'],
  },
];

/** `file` is relative to the checkout. */
export const showsPromise = ({ files }: ProductPromise, file: string): boolean =>
  files.some(pattern => path.matchesGlob(file, pattern));
