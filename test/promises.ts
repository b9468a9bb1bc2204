// What Hostler promises its users, and the tests that show it. `npm run test:all` ends with a summary by promise. A file
// can show several promises. Patterns are matched against the path in the checkout.

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
      `${OPERATIONS}/{frozen-owner,killed-at-every-commit,model-*,mutations,retried-host}.test.ts`,
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
    text: 'An operation ends in a documented state, with a reason for each host that is not done',
    files: [
      `${OPERATIONS}/{clock-set-back,failed-hosts,operation-actions,retry-and-exclude,retried-host,unwritable-run}.test.ts`,
      'test/hosts/{failing-restart,unwritable-run}.test.ts',
      'test/api/{operation-lifecycle,operation-lists,operation-policies,operations}.test.ts',
    ],
  },
  {
    text: 'A long command continues on the host when its connection breaks or the server restarts',
    files: [
      'test/engine/jobs.test.ts',
      `${OPERATIONS}/long-downloads.test.ts`,
      'test/hosts/broken-upgrade-connection.long.test.ts',
      'src/procedures/jobs/*.test.ts',
    ],
  },
  {
    text: 'A node that an operation cordons is drained and uncordoned, and cordons of others stay',
    files: [
      `${OPERATIONS}/{hanging-manager,model-*}.test.ts`,
      'test/hosts/kubernetes-cluster.test.ts',
      'src/drivers/container-manager/**/*.test.ts',
    ],
  },
  {
    text: 'A cluster has one operation at a time, which follows members that join and leave',
    files: [
      'test/engine/membership.test.ts',
      `${OPERATIONS}/retry-after-removal.test.ts`,
      'test/api/{cluster-members,operations}.test.ts',
    ],
  },
  {
    text: 'A server that loses its network does not report its hosts as failed',
    files: [`${OPERATIONS}/partitions.test.ts`, 'test/engine/health-checks.test.ts', 'src/engine/health/*.test.ts'],
  },
  {
    text: 'A crash loses no acknowledged change and no running operation',
    files: [
      'test/engine/{bootstrap-killed-at-every-commit,lost-responses}.test.ts',
      `${OPERATIONS}/{after-restore,killed-at-every-commit}.test.ts`,
      'test/process/{backup*,durability,full-disk}*.test.ts',
      'test/api/{damaged-store,store-outage}.test.ts',
      'test/chaos/*.test.ts',
    ],
  },
  {
    text: 'Several servers share the work, and a frozen server changes nothing after it lost its lease',
    files: [
      'test/engine/{bootstrap-frozen-owner,multiple-servers,task-sharing}.test.ts',
      `${OPERATIONS}/frozen-owner.test.ts`,
      'test/chaos/*.test.ts',
      'src/engine/lease*.test.ts',
    ],
  },
  {
    text: 'Hosts are bootstrapped over SSH, or enrol themselves at first boot',
    files: [
      'test/engine/{bootstrap-killed-at-every-commit,host-lifecycle}.test.ts',
      'test/api/{bulk-enrolment,host-bootstrap,user-data}.test.ts',
      'test/process/first-boot.test.ts',
      'test/hosts/{cloud-init.long,enrolment,host-lifecycle,tokens}.test.ts',
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
      'test/example-drivers/*.test.ts',
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
    text: 'The server starts, reloads certificates and stops as documented, and explains failed starts',
    files: [
      'test/process/{doctor,failed-start,lifecycle,start-failures,tls}.test.ts',
      'src/server/{certificates,serve,start-errors}.integration.test.ts',
      'src/server/configuration/*.test.ts',
    ],
  },
  {
    text: 'Metrics, traces and logs show what the server does',
    files: [
      'test/api/{metrics,readiness,task-metrics,traces}.test.ts',
      'test/engine/{debug-log,metrics,tracing}.test.ts',
      'test/process/logging.test.ts',
      'test/monitoring.integration.test.ts',
    ],
  },
  {
    text: 'Hostler installs and starts with one command',
    files: ['test/installing/*.test.ts', 'test/process/{demo,failed-start,installation,lifecycle}.test.ts'],
  },
  {
    text: 'Memory, files and tables do not grow without limit',
    files: ['test/soak/*.test.ts', 'test/process/heap.test.ts', 'test/data-retention.test.ts'],
  },
];
