import { defineProblems } from './problem-definition.ts';

/** Errors of valid requests that the current state of the records does not allow. */
export const CONFLICT_PROBLEMS = defineProblems(409, {
  conflict: {
    summary: 'The record exists with different content.',
    cause: 'Another client created it, or changed it in the meantime.',
    action: 'Read the record. Remove it first, or replace it with `If-Match` where the endpoint supports it.',
  },
  members_changed: {
    summary: '`old` does not match the current members.',
    cause: 'The members changed after you read the list.',
    action: 'Read the list again, apply your change to it, and send both lists.',
  },
  host_not_ready: {
    summary: 'Only hosts that are `active` or `disassociated` can join a cluster.',
    cause: 'The host is not bootstrapped yet, has failed or is unreachable.',
    action: 'Wait, or check the status of the host.',
  },
  host_in_other_cluster: {
    summary: 'A host can be a member of only one cluster.',
    cause: 'The host is a member of another cluster.',
    action: 'Remove it from that cluster first.',
  },
  host_conflict: {
    summary: 'The host is already enrolled with a different key, user, port, host key, transport or source.',
    cause: 'The host was enrolled before, or another machine now has its address.',
    action: '`errors` names the fields that differ. Replace the credentials, or remove the host and enrol it again.',
    docs: 'guides/enrol-hosts.md',
  },
  host_unreachable: {
    summary: 'The server could not reach the host to test the new credentials.',
    cause: '`detail` contains the reason. Nothing was stored.',
    action: 'Retry when the host is reachable.',
    docs: 'admin/troubleshooting.md#hosts',
  },
  host_key_changed: {
    summary: 'The host presented a different host key when the server tested the new credentials.',
    cause: 'The host was reinstalled, or it is another machine. Nothing was stored.',
    action: 'Find the cause. If the change is expected, accept the new key.',
    docs: 'admin/troubleshooting.md#hosts',
  },
  credentials_rejected: {
    summary: 'The host rejected this user and key, or the user cannot run commands or become root.',
    cause: '`detail` contains the reason. Nothing was stored.',
    action: 'Add the public key to `authorized_keys` on the host, and give the user `sudo` without a password.',
    docs: 'admin/troubleshooting.md#hosts',
  },
  no_pending_host_key: {
    summary: 'The host has no pending host key.',
    cause: 'The host presents its known key again, or the pending host key was already accepted.',
    action: 'Check `pending_host_key` in the status of the host. Only that key can be accepted.',
  },
  fingerprint_mismatch: {
    summary: 'The fingerprint does not match the key that the host presented.',
    cause: 'The fingerprint is mistyped, or the host now presents another key.',
    action: 'Run `ssh-keygen -lf` on the host itself, and send the correct fingerprint.',
    docs: 'admin/troubleshooting.md#hosts',
  },
  unknown_cluster: {
    summary: 'The request names a cluster that does not exist.',
    cause: 'The name is misspelled, or the cluster is not created yet.',
    action: 'Create the cluster first.',
  },
  unknown_network: {
    summary: 'The cluster names a network that does not exist.',
    cause: 'The name is misspelled, or the network is not created yet.',
    action: 'Create the network first.',
  },
  unknown_container_manager: {
    summary: 'The cluster names a container manager that does not exist.',
    cause: 'The name is misspelled, or the container manager is not created yet.',
    action: 'Create the container manager first.',
  },
  operation_not_supported: {
    summary: 'The container manager of the cluster does not support this kind of operation.',
    cause: '`detail` contains the reason.',
    action: "Use the container manager's own tools.",
    docs: 'guides/run-operations.md',
  },
  operation_running: {
    summary: 'Another operation is running on the cluster.',
    cause: 'A cluster runs one operation at a time. `detail` names it.',
    action: 'Wait until it ends, or cancel it.',
    docs: 'guides/run-operations.md',
  },
  host_in_operation: {
    summary: 'An operation is working on the host.',
    cause: 'The host is being prepared or is in flight.',
    action: 'Wait until the operation has finished with the host, or skip the host in the operation.',
    docs: 'guides/run-operations.md',
  },
  invalid_state: {
    summary: 'The state of the operation does not allow this request.',
    cause:
      'For example, the operation has ended, or it is not paused and cannot be resumed. `detail` contains the reason.',
    action: 'See `can` of the operation for the actions that are allowed now.',
  },
  nothing_to_retry: {
    summary: 'No host of the operation is failed or pending.',
    cause: 'All hosts are done, skipped or in flight.',
    action: 'Wait until the operation ends, or start a new one.',
    docs: 'guides/run-operations.md',
  },
  not_a_member: {
    summary: 'The policy names hosts that are not members of the cluster.',
    cause: 'The hosts left the cluster, or their addresses are misspelled.',
    action: 'Remove the hosts from the policy, or add them to the cluster first.',
  },
  idempotency_key_reused: {
    summary: 'The `Idempotency-Key` was used for a different request on this cluster.',
    cause:
      'Each key identifies one request. It is valid until 24 hours after the end of the operation that the request started.',
    action: 'Use a new key.',
  },
  token_exists: {
    summary: 'An enrolment token with this name exists and has different settings.',
    cause: 'Tokens cannot be changed.',
    action: 'Remove the token first, or choose another name.',
    docs: 'guides/enrolment-tokens.md',
  },
  in_use: {
    summary: 'A cluster uses the record, so it cannot be removed, and its type, server or network cannot change.',
    cause: 'Members of the cluster depend on it.',
    action: 'Change or remove the cluster first.',
  },
  built_in: {
    summary: 'The network `default` is built in and cannot be removed.',
    cause: 'Clusters that need no network use it.',
    action: 'Keep the network. To use another one, change the clusters.',
  },
  last_admin: {
    summary: 'At least one account must have the role `admin`.',
    cause: 'This account is the only one with the role.',
    action: 'Give another account the role `admin` first.',
    docs: 'guides/accounts.md',
  },
  precondition_failed: {
    status: 412,
    summary: 'The record changed after you read it, or does not exist.',
    cause: 'The `ETag` in `If-Match` is not the current one.',
    action: 'Read the record again, and send its new `ETag` in `If-Match`.',
  },
});
