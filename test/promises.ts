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
      `${OPERATIONS}/{budget,hanging-manager,model-*,mutations,partitions,scenarios,unhealthy-members}.test.ts`,
      'test/hosts/{rolling-*,unhealthy-members}*.test.ts',
      'test/chaos/*.test.ts',
      'src/domain/rollout/{budget,decide*,freshness,outage,policy,snapshot}.test.ts',
      'src/store/repositories/operations/rollout-snapshots.integration.test.ts',
    ],
  },
  {
    text: 'A bad version stops after as few hosts as possible',
    files: [
      `${OPERATIONS}/{budget,failed-hosts,retries,scenarios}.test.ts`,
      'test/hosts/failing-restart.test.ts',
      'src/domain/rollout/{budget,decide-failures,decide-order}.test.ts',
    ],
  },
  {
    text: 'A host reboots at most once per attempt',
    files: [
      `${OPERATIONS}/{after-restore,frozen-owner,killed-at-every-commit,model-*,mutations,retries}.test.ts`,
      'test/hosts/{reboot,rolling-*,unwritable-run}*.test.ts',
      'test/chaos/*.test.ts',
      'src/domain/rollout/after-restore.test.ts',
      'src/procedures/reboot/*.test.ts',
    ],
  },
  {
    text: 'A host is done only after a proof: new boot, applied version, healthy',
    files: [
      `${OPERATIONS}/{applied-image,failed-hosts,running-operation}.test.ts`,
      'test/hosts/{failing-restart,kubernetes-cluster,rolling-*,unhealthy-members}*.test.ts',
      'src/procedures/rollout/*.test.ts',
    ],
  },
  {
    text: 'A dry run shows what an operation would do, and changes nothing',
    files: [`${OPERATIONS}/dry-runs.test.ts`, 'test/api/dry-run.test.ts', 'src/procedures/dry-run.test.ts'],
  },
  {
    text: 'An operation that cannot start says within seconds which hosts block it, and what to do',
    files: [
      `${OPERATIONS}/{dry-runs,unhealthy-members}.test.ts`,
      'test/hosts/unhealthy-members.test.ts',
      'src/sdk/blocking-hosts.test.ts',
    ],
  },
  {
    text: 'An operation ends in a documented state, with a reason for each host that is not done',
    files: [
      `${OPERATIONS}/{failed-hosts,operation-actions,retries,unhealthy-members,unwritable-run}.test.ts`,
      'test/hosts/{failing-restart,unwritable-run}.test.ts',
      'test/api/{operation-lifecycle,operation-lists,operation-policies,operations}.test.ts',
      'src/domain/rollout/operation*.test.ts',
      'src/engine/reconcile/operation-reconciler.test.ts',
    ],
  },
  {
    text: 'An operation record shows the phases, errors and output of each host',
    files: [
      'test/api/{operation-lifecycle,operations,output-notifications}.test.ts',
      'src/engine/host-transaction-operations.test.ts',
      'src/engine/tasks/step-output-buffer.test.ts',
      'src/procedures/{run-commands.integration,script-error}.test.ts',
      'src/store/repositories/operations/operation-hosts.integration.test.ts',
    ],
  },
  {
    text: 'An operation can be paused, resumed, cancelled and retried at any time, and a host skipped',
    files: [
      `${OPERATIONS}/{model-*,operation-actions,retries}.test.ts`,
      'test/api/{operation-lifecycle,operations}.test.ts',
      'src/app/operations/*.test.ts',
    ],
  },
  {
    text: 'Hosts start only inside the maintenance window, and no host is interrupted when it closes',
    files: [`${OPERATIONS}/running-operation.test.ts`, 'src/domain/rollout/maintenance-window*.test.ts'],
  },
  {
    text: 'A long command continues on the host when its connection breaks or the server restarts',
    files: [
      'test/engine/jobs.test.ts',
      `${OPERATIONS}/long-downloads.test.ts`,
      'test/hosts/broken-upgrade-connection.long.test.ts',
      'src/procedures/jobs/*.test.ts',
      'src/procedures/run-folder.integration.test.ts',
    ],
  },
  {
    text: 'Temporary failures are retried until a documented timeout',
    files: [
      `${OPERATIONS}/{hanging-manager,running-operation,unwritable-run}.test.ts`,
      'test/engine/jobs.test.ts',
      'src/domain/tasks/*.test.ts',
      'src/engine/tasks/task-progress.test.ts',
      'src/procedures/outcomes.test.ts',
    ],
  },
  {
    text: 'A node that an operation cordons is drained and uncordoned, and cordons of others stay',
    files: [
      `${OPERATIONS}/{budget,hanging-manager,model-*,scenarios}.test.ts`,
      'test/hosts/kubernetes-cluster.test.ts',
      'src/drivers/container-manager/**/*.test.ts',
    ],
  },
  {
    text: 'A cluster has one operation at a time, and a repeated request starts no other one',
    files: [
      'test/api/{idempotency-keys,operations}.test.ts',
      'src/store/repositories/operations/operations.integration.test.ts',
    ],
  },
  {
    text: 'Operations follow members that join and leave, and a host that is gone blocks nothing',
    files: [
      'test/engine/membership.test.ts',
      `${OPERATIONS}/{failed-hosts,retries}.test.ts`,
      'test/api/cluster-members.test.ts',
      'src/domain/rollout/decide-members.test.ts',
    ],
  },
  {
    text: 'A host or cluster can be removed during work, and nothing of it is left behind',
    files: [
      'test/engine/{host-tasks,networks,removal}.test.ts',
      `${OPERATIONS}/retries.test.ts`,
      'test/api/{clusters,concurrent-changes,hosts}.test.ts',
    ],
  },
  {
    text: 'A server that loses its network does not report its hosts as failed',
    files: [
      `${OPERATIONS}/{partitions,scenarios}.test.ts`,
      'test/engine/health-checks.test.ts',
      'src/engine/health/*.test.ts',
    ],
  },
  {
    text: 'Each host is checked every minute, and its status says why it is not active',
    files: [
      'test/engine/{damaged-secret,health-checks,host-tasks}.test.ts',
      'test/hosts/host-lifecycle.test.ts',
      'test/api/{health-check-status,host-checks,host-maintenance,host-status}.test.ts',
      'src/domain/{health-check,hosts/host-status}.test.ts',
      'src/engine/health/*.test.ts',
      'src/store/repositories/hosts/health-checks.integration.test.ts',
    ],
  },
  {
    text: 'A crash loses no acknowledged change and no running operation',
    files: [
      'test/engine/{abandoned-claims,bootstrap-killed-at-every-commit,lost-responses}.test.ts',
      `${OPERATIONS}/killed-at-every-commit.test.ts`,
      'test/process/{durability,full-disk}.test.ts',
      'test/api/{damaged-store,store-outage}.test.ts',
      'test/chaos/*.test.ts',
      'src/engine/host-transaction*.test.ts',
      'src/store/postgres/{connection,lost-connections.integration}.test.ts',
      'src/store/sqlite/{full-disk,open-sqlite*}.test.ts',
    ],
  },
  {
    text: 'Several servers share the work, and a frozen server changes nothing after it lost its lease',
    files: [
      'test/engine/{bootstrap-frozen-owner,multiple-servers,task-sharing}.test.ts',
      `${OPERATIONS}/{frozen-owner,mutations}.test.ts`,
      'test/chaos/*.test.ts',
      'src/engine/{host-transaction*,lease*,tasks/fenced-drivers}.test.ts',
      'src/store/postgres/{lost-connections,signal-channel}.integration.test.ts',
      'src/store/repositories/tasks/claims.integration.test.ts',
    ],
  },
  {
    text: 'SIGTERM stops a server within 10 s, and other servers continue its work at once',
    files: ['test/process/shutdown.test.ts', 'test/engine/multiple-servers.test.ts', 'src/lib/close-stack.test.ts'],
  },
  {
    text: 'While the store is unavailable, requests fail with 503, and work resumes when it is back',
    files: [
      'test/api/{readiness,store-outage}.test.ts',
      'test/process/full-disk.test.ts',
      'src/app/auth/outage-login.test.ts',
      'src/server/wiring/store-outage-log.test.ts',
      'src/store/postgres/{errors,lost-connections.integration,open-postgres.integration}.test.ts',
      'src/store/sqlite/full-disk.test.ts',
    ],
  },
  {
    text: 'SQLite and PostgreSQL store the same records with the same results',
    files: ['src/store/*.test.ts', 'src/store/repositories/**/*.test.ts'],
  },
  {
    text: 'Concurrent requests do not overwrite or block each other',
    files: [
      'test/api/{cluster-members,concurrent-changes,driver-records}.test.ts',
      'src/store/{sql-session,store.integration}.test.ts',
    ],
  },
  {
    text: 'A new version upgrades the store once, beside servers of the previous version',
    files: [
      'src/store/postgres/{inspect-postgres,migrate-postgres.integration,open-postgres.integration}.test.ts',
      'src/store/sqlite/store-files.test.ts',
    ],
  },
  {
    text: 'A backup contains all confirmed changes, and restored operations wait for an administrator',
    files: [
      `${OPERATIONS}/after-restore.test.ts`,
      'test/process/backup*.test.ts',
      'src/domain/rollout/after-restore.test.ts',
      'src/server/backup/*.test.ts',
      'src/store/sqlite/store-files.test.ts',
    ],
  },
  {
    text: 'Hosts are bootstrapped over SSH, or enrol themselves at first boot',
    files: [
      'test/engine/{bootstrap-killed-at-every-commit,host-lifecycle,host-tasks,networks}.test.ts',
      'test/api/{bulk-enrolment,host-bootstrap,user-data}.test.ts',
      'test/process/first-boot.test.ts',
      'test/hosts/{cloud-init.long,enrolment,host-lifecycle,tokens}.test.ts',
      'src/procedures/membership/*.test.ts',
    ],
  },
  {
    text: 'New credentials of a host are stored only after they worked on the host',
    files: [
      'test/api/host-credentials.test.ts',
      'src/engine/credential-tester.test.ts',
      'src/store/repositories/hosts/host-access.integration.test.ts',
    ],
  },
  {
    text: 'No command runs on a host whose key is not the recorded one',
    files: [
      'test/hosts/{enrolment,host-lifecycle,transports}.test.ts',
      'test/engine/removal.test.ts',
      'test/process/host-ssh.test.ts',
      'test/api/host-keys.test.ts',
      'src/domain/hosts/host-key.integration.test.ts',
      'src/drivers/transport/**/*.test.ts',
    ],
  },
  {
    text: 'Hosts of a source show its facts, and their last known values while it does not respond',
    files: [
      'test/api/host-sources.test.ts',
      'src/drivers/host-source/**/*.test.ts',
      'src/engine/sources/*.test.ts',
      'src/store/repositories/hosts/host-sources.integration.test.ts',
    ],
  },
  {
    text: 'Secrets are encrypted at rest and in no log, error, event or process list',
    files: [
      'test/{hosts,process}/secrets.test.ts',
      'test/process/{host-ssh,rotation}.test.ts',
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
      'src/http/**/*.test.ts',
    ],
  },
  {
    text: 'A limit that is reached is a clear error, and never a hang',
    files: [
      'test/api/{event-limits*,http-bytes,slow-clients}.test.ts',
      'src/app/auth/{login-rate-limiter,password-hasher}.test.ts',
      'src/engine/credential-tester.test.ts',
      'src/http/connections/*.test.ts',
      'src/lib/{concurrency-semaphore,fair-queue,token-buckets}.test.ts',
    ],
  },
  { text: 'The API behaves as specified', files: ['test/api/*.test.ts'] },
  { text: 'Clients of Commissaire work with HOSTLER_COMPAT', files: ['test/api/{commctl,commissaire-compat}.test.ts'] },
  {
    text: 'An account can do what its role allows, and nothing else',
    files: [
      'test/api/{accounts,roles,session-*,tokens}.test.ts',
      'src/app/auth/*.test.ts',
      'src/store/repositories/accounts/*.test.ts',
    ],
  },
  {
    text: 'Passwords are stored as memory-hard hashes, and failed logins are limited',
    files: ['src/app/auth/{authenticator*,login-*,password-hasher}.test.ts'],
  },
  {
    text: 'Each subscriber receives each event once and in order',
    files: [
      'test/api/{event-limits*,events,webhooks}.test.ts',
      'src/events/**/*.test.ts',
      'src/integrations/webhook-client.integration.test.ts',
      'src/sdk/event-stream.integration.test.ts',
      'src/store/{signals,postgres/signal-channel,repositories/events/event-log}.integration.test.ts',
    ],
  },
  {
    text: 'Every audit entry is kept unchanged, or the change is detected',
    files: [
      'test/api/audit.test.ts',
      'test/process/audit.test.ts',
      'src/server/admin/verify-audit-log.test.ts',
      'src/store/migrations/append-only-log.integration.test.ts',
    ],
  },
  {
    text: 'Drivers behave the same for every system, transport, network and container manager',
    files: [
      'src/drivers/**/*.test.ts',
      'test/example-drivers/*.test.ts',
      'test/engine/networks.test.ts',
      'test/hosts/{flannel,os-queries,systemd-hosts}*.test.ts',
    ],
  },
  { text: 'The dashboard is accessible and shows text of hosts and users as text', files: ['test/web/*.test.ts'] },
  {
    text: 'The command line shows progress, errors and exit codes as documented',
    files: [
      'test/cli/*.test.ts',
      'test/process/{completion-shells.long,follow-terminal,host-ssh,login-terminal}.test.ts',
      'src/cli/**/*.test.ts',
    ],
  },
  {
    text: 'Commands in the documentation work as shown',
    files: ['test/documents/*.test.ts', 'test/hosts/tutorial*.test.ts'],
  },
  {
    text: 'The server starts and reloads certificates as documented, and explains failed starts',
    files: [
      'test/process/{doctor,first-start,shutdown,start-cleanup,start-exit-codes,tls}.test.ts',
      'src/server/{certificates,serve,start-errors}.integration.test.ts',
      'src/server/{configuration,doctor}/*.test.ts',
    ],
  },
  {
    text: 'Metrics, traces and logs show what the server does',
    files: [
      'test/api/{metrics,readiness,task-metrics,traces}.test.ts',
      'test/engine/{debug-log,metrics,tracing}.test.ts',
      'test/process/{logging,prometheus.long}.test.ts',
      'test/monitoring.integration.test.ts',
      'src/engine/tasks/task-tracing.test.ts',
      'src/server/{metrics,tracing}/*.test.ts',
      'src/store/{store-metrics,repositories/statistics.integration}.test.ts',
    ],
  },
  {
    text: 'Hostler installs and starts with one command',
    files: [
      'test/installing/*.test.ts',
      'test/process/{demo,first-start,installation,shutdown,start-exit-codes}.test.ts',
    ],
  },
  {
    text: 'Memory, files and tables do not grow without limit',
    files: [
      'test/soak/*.test.ts',
      'test/process/heap.test.ts',
      'test/documents/data-retention.test.ts',
      'src/engine/reconcile/prune-operations.test.ts',
    ],
  },
];
