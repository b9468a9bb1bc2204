// What holds where people say nothing, once: the rules keep to it, and the contract and the client tell it.

/** The account to log in as on hosts of which nobody said another. */
export const DEFAULT_REMOTE_USER = 'root';
export const DEFAULT_SSH_PORT = 22;

/** Where Prometheus' own node_exporter listens. */
export const DEFAULT_TARGET_PORT = 9100;

/** The shortest and the longest lifetime of an enrolment token. */
export const TOKEN_LIFETIME_S = { min: 60, max: 31_536_000 } as const;

/** So many of the last checks of each host are kept. */
export const MAX_CHECK_HISTORY = 60;

/** What holds in a policy where nobody has chosen anything; see `rollout/policy.ts`. */
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
