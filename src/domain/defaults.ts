// Shared by the domain rules, the API contract and the client.

export const DEFAULT_REMOTE_USER = 'root';
export const DEFAULT_SSH_PORT = 22;

/** The default port of the Prometheus node_exporter. */
export const DEFAULT_TARGET_PORT = 9100;

export const TOKEN_LIFETIME_S = { min: 60, max: 31_536_000 } as const;

/** Number of hosts that one request can enrol. */
export const MAX_BULK_HOSTS = 1000;

/** Number of health checks kept per host. */
export const MAX_CHECK_HISTORY = 60;

export const POLICY_DEFAULTS = {
  maxUnavailable: 1,
  canary: 0,
  ramp: false,
  unhealthy: 'count',
  maxExcluded: '10%',
  wait: false,
  maxFailures: 0,
  onFailure: 'fail',
  hosts: null,
  labels: [],
  order: 'address',
  stageParallel: 20,
  drain: { timeoutS: 900, onTimeout: 'fail' },
  reboot: { restart: 'always', upgrade: 'if_needed', deploy: 'always' },
  check: null,
  timeouts: { stageS: 1800, applyS: 1800, rebootS: 900, readyS: 600 },
  minHealthyS: 10,
  window: null,
} as const;

/** How many DNS names an account can resolve per minute: the server looks them up in its own network. */
export const NAMES_PER_MINUTE = 60;
