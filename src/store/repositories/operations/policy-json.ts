import type { Policy, PolicyInput } from '../../../domain/rollout/policy.ts';
import type { StoredKeys } from '../../stored-json.ts';
import { jsonColumn } from '../../stored-json.ts';

/** The keys are those of the API. */
export const POLICY_KEYS: StoredKeys<PolicyInput> = {
  maxUnavailable: 'max_unavailable',
  canary: 'canary',
  ramp: 'ramp',
  unhealthy: 'unhealthy',
  maxExcluded: 'max_excluded',
  wait: 'wait',
  maxFailures: 'max_failures',
  onFailure: 'on_failure',
  hosts: 'hosts',
  labels: 'labels',
  order: 'order',
  stageParallel: 'stage_parallel',
  drain: { key: 'drain', within: { timeoutS: 'timeout_s', onTimeout: 'on_timeout' } },
  reboot: 'reboot',
  check: 'check',
  timeouts: {
    key: 'timeouts',
    within: { stageS: 'stage', applyS: 'apply', rebootS: 'reboot', readyS: 'ready' },
  },
  minHealthyS: 'min_healthy_s',
  window: { key: 'window', within: { days: 'days', start: 'start', end: 'end', zone: 'zone' } },
  isDryRun: 'dry_run',
};

/** `policy_json`: the policy that an operation uses. */
export const policyJson = jsonColumn<Policy>(POLICY_KEYS);

/** `policy_input_json`: the part of a policy that a request or a cluster specifies. */
export const policyInputJson = jsonColumn<PolicyInput>(POLICY_KEYS);
