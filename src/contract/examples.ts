// Examples of the named schemas of the OpenAPI document. A test validates each against its schema.

const ADDRESS = '192.0.2.7';
const [STARTED, FINISHED] = ['2026-11-15T08:30:00.000000', '2026-11-15T08:55:12.402118'];
/** Base64 text that is not a key. */
const KEY = 'LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVEUgS0VZLS0tLS0K';

const HOST = {
  ...{ address: ADDRESS, status: 'active', os: 'debian', cpus: 8, memory: 32_768_000, space: 512_000_000 },
  last_check: STARTED,
};
const COUNTS = { total: 15, pending: 0, preparing: 0, queued: 0, in_flight: 0, done: 15, failed: 0, skipped: 0 };
const OPERATION = {
  ...{ id: '1-GxcC6shPdBZni2', kind: 'restart', cluster: 'edge', status: 'finished', state: 'finished' },
  ...{ paused_by: null, problem: '', counts: COUNTS, started_by: 'ann' },
  ...{ started_at: STARTED, finished_at: FINISHED, can: [] },
};
const ENDED_HOST = { address: ADDRESS, state: 'done', started_at: STARTED, finished_at: FINISHED, error: null };
const WINDOW = { days: ['sat', 'sun'], start: '22:00', end: '04:00', zone: 'Europe/Berlin' };

export const EXAMPLES: Readonly<Record<string, object>> = {
  Account: { name: 'ann', role: 'operator', created_at: STARTED, changed_at: STARTED },
  AccountInput: { role: 'operator', password: 'correct horse battery staple' },
  AuditEntry: {
    ...{ id: 4711, at: STARTED, type: 'operation.started', subject: OPERATION.id, actor: 'ann', address: '192.0.2.99' },
    ...{ request_id: 'a6ed6c34ad5f-j', result: 'ok', cluster: 'edge', host: null, operation: OPERATION.id },
    ...{
      data: { kind: 'restart', hosts: 15 },
      hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    },
  },
  BulkInput: { hosts: [{ address: ADDRESS, ssh_priv_key: KEY, cluster: 'edge' }] },
  Cluster: {
    ...{ name: 'edge', status: 'ok', network: 'default', container_manager: '' },
    hosts: { total: 15, available: 15, unavailable: 0 },
  },
  ClusterInput: { network: 'default', container_manager: 'production' },
  ClusterPolicyInput: { max_unavailable: '10%', on_failure: 'pause' },
  DeployInput: { version: '44.20261101.3', policy: { max_unavailable: 2 } },
  DriverRecord: { name: 'production', type: 'k3s', options: { server_url: 'https://192.0.2.1:6443' } },
  DriverRecordInput: { type: 'flannel', options: { address: '10.32.0.0/16' } },
  EnrolmentToken: {
    ...{ name: 'rack-12', cluster: 'edge', cidr: '192.0.2.0/24', uses: 40, used: 3, state: 'active' },
    ...{ created_at: STARTED, expires_at: FINISHED },
  },
  HealthCheck: { at: STARTED, result: 'passed' },
  Host: { ...HOST, source: '' },
  HostCredentialsInput: { ssh_priv_key: KEY, remote_user: 'core' },
  HostInput: { ssh_priv_key: KEY, remote_user: 'core', cluster: 'edge', ssh_port: 22 },
  HostKeyInput: { fingerprint: 'SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8' },
  HostListEntry: {
    ...HOST,
    ...{ hostname: 'edge-1', cluster: 'edge', labels: { rack: 'r12' }, maintenance: false, reason: '' },
  },
  MaintenanceInput: { on: true, reason: 'a new disk' },
  MembersInput: { old: ['192.0.2.7'], new: ['192.0.2.7', '192.0.2.8'] },
  Operation: OPERATION,
  OperationInput: { policy: { max_unavailable: '10%', canary: 1, window: WINDOW } },
  Outage: { address: ADDRESS, hostname: 'edge-1', reason: 'unreachable', detail: 'connection refused', since: STARTED },
  PasswordInput: { password: 'correct horse battery staple' },
  PolicyInput: { max_unavailable: 2, on_failure: 'pause', unhealthy: 'exclude', drain: { timeout_s: 300 } },
  Problem: {
    ...{ type: '/docs#not_found', title: 'Not Found', status: 404, code: 'not_found' },
    ...{ detail: 'there is no cluster edge', request_id: 'a6ed6c34ad5f-j' },
  },
  RestartRecord: {
    ...{ status: 'finished', in_process: [], restarted: [ENDED_HOST] },
    ...{ started_at: STARTED, finished_at: FINISHED },
  },
  RetryInput: { exclude: ['192.0.2.9'] },
  SelfEnrolmentInput: { host_keys: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleOnly'], remote_user: 'core' },
  SkipInput: { hosts: ['192.0.2.9'] },
  TimeWindow: WINDOW,
  TokenInput: { cluster: 'edge', uses: 40, cidr: '192.0.2.0/24' },
  UserDataInput: { url: 'https://hostler.example.com', uses: 40 },
  WebhookInput: { url: 'https://chat.example.com/hostler', events: ['host.*'], secret: 'a long random text' },
};
