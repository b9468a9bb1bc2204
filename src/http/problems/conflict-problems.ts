import type { ProblemKind } from './problem-kind.ts';

/** What is in order as a request, and does not fit what is there at this moment. */
export const CONFLICT_PROBLEMS = {
  conflict: {
    status: 409,
    meaning: 'The record exists with other content.',
    cause: 'Somebody has made it before, or it has changed meanwhile.',
    remedy: 'Read it. Remove it first, or replace it with `If-Match` where that is offered.',
  },
  members_changed: {
    status: 409,
    meaning: '`old` is not the current list of members.',
    cause: 'Somebody has changed the members since you have read them.',
    remedy: 'Read the list again, then decide anew.',
  },
  host_not_ready: {
    status: 409,
    meaning: 'Only hosts that are `active` or `disassociated` can join a cluster.',
    cause: 'The host is not bootstrapped yet, has failed or cannot be reached.',
    remedy: 'Wait, or look into its status.',
  },
  host_in_other_cluster: {
    status: 409,
    meaning: 'A host is in one cluster at most.',
    cause: 'It is a member of another one.',
    remedy: 'Take it out of the other first.',
  },
  host_differs: {
    status: 409,
    meaning: 'The host is known with another key, user, port, host key or source.',
    cause: 'Somebody has enrolled it before, or another machine has its address now.',
    remedy: 'Remove it first to enrol it anew.',
  },
  host_unreachable: {
    status: 409,
    meaning: 'New credentials are tried on the host first, and it could not be reached.',
    cause: '`detail` says why. Nothing was stored.',
    remedy: 'Try again when it can be reached.',
  },
  host_key_changed: {
    status: 409,
    meaning: 'New credentials are tried on the host first, and it shows another host key than it did.',
    cause: 'The host was set up anew, or it is another machine. Nothing was stored.',
    remedy: 'Find out why; if it is right, accept the key.',
  },
  credentials_do_not_work: {
    status: 409,
    meaning: 'The host does not let this user in with this key, or does not let it run commands or be root.',
    cause: '`detail` says which. Nothing was stored.',
    remedy: 'Put the public key into `authorized_keys` there first; give the user `sudo` without a password.',
  },
  no_key_to_accept: {
    status: 409,
    meaning: 'The host has shown no other key than those it is known by.',
    cause: 'It shows its old key again, or somebody else has accepted the new one.',
    remedy: 'Look at `offered_key` in its status, which is what could be accepted.',
  },
  fingerprint_differs: {
    status: 409,
    meaning: 'The host has shown a key with another fingerprint.',
    cause: 'The fingerprint is mistyped, or the host shows another key by now.',
    remedy: 'Compare with `ssh-keygen -lf` on the host itself, then name the right one.',
  },
  unknown_cluster: {
    status: 409,
    meaning: 'The host names a cluster that does not exist.',
    cause: 'It is misspelt, or not made yet.',
    remedy: 'Create the cluster first.',
  },
  unknown_network: {
    status: 409,
    meaning: 'The cluster names a network that does not exist.',
    cause: 'It is misspelt, or not made yet.',
    remedy: 'Create the network first.',
  },
  unknown_container_manager: {
    status: 409,
    meaning: 'The cluster names a container manager that does not exist.',
    cause: 'It is misspelt, or not made yet.',
    remedy: 'Create it first.',
  },
  operation_not_taken: {
    status: 409,
    meaning: 'The container manager of the cluster does not take operations of this kind.',
    cause: '`detail` says why.',
    remedy: "Do it by the container manager's own means.",
  },
  operation_running: {
    status: 409,
    meaning: 'Another operation runs on the cluster.',
    cause: 'There is one at a time; `detail` names it.',
    remedy: 'Wait for its end, or cancel it.',
  },
  host_in_operation: {
    status: 409,
    meaning: 'An operation is at work on the host.',
    cause: 'It is prepared, or in flight.',
    remedy: 'Wait for its end, or have the operation skip the host.',
  },
  not_possible_now: {
    status: 409,
    meaning: 'The operation is in a state in which this cannot be asked of it.',
    cause: 'It has ended, or is paused already, or is not.',
    remedy: 'Look at its `can`, which says what can be asked.',
  },
  not_a_member: {
    status: 409,
    meaning: 'The policy names hosts that are not members of the cluster.',
    cause: 'They have left it, or are misspelt.',
    remedy: 'Leave them out, or let them join first.',
  },
  idempotency_key_reused: {
    status: 409,
    meaning: 'The `Idempotency-Key` was used for another request within the last day.',
    cause: 'A key stands for one request.',
    remedy: 'Take a new one.',
  },
  token_exists: {
    status: 409,
    meaning: 'There is an enrolment token of this name with other settings.',
    cause: 'A token is never changed.',
    remedy: 'Remove it first, or choose another name.',
  },
  in_use: {
    status: 409,
    meaning: 'A cluster uses the record, and it would be removed, or become another server or network.',
    cause: 'Members of the cluster depend on it.',
    remedy: 'Change or remove the cluster first.',
  },
  built_in: {
    status: 409,
    meaning: 'The network `default` is built in and cannot be removed.',
    cause: 'Clusters that need no network use it.',
    remedy: 'Leave it.',
  },
  last_admin: {
    status: 409,
    meaning: 'Somebody must be able to manage accounts.',
    cause: 'It is the only account of the role `admin`.',
    remedy: 'Make another account `admin` first.',
  },
  precondition_failed: {
    status: 412,
    meaning: 'The record has changed since it was read.',
    cause: 'Its `ETag` is another by now.',
    remedy: 'Read it again and send its new `ETag` in `If-Match`.',
  },
} satisfies Record<string, ProblemKind>;
