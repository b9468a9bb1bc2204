import type { HostReason, HostStatus } from '#vocabulary';

/** What a status or a reason means, and what to do about it; shorter than in docs/reference/host-reasons.md. */
interface Words {
  readonly means: string;
  readonly advice: string;
}

export const STATUS_WORDS: Readonly<Record<HostStatus, Words>> = {
  investigating: {
    means: 'Hostler is connecting to the host and reading its facts. It retries until the login works.',
    advice: 'Wait.',
  },
  bootstrapping: {
    means: 'Hostler has read the facts of the host and is bootstrapping it.',
    advice: 'Wait.',
  },
  active: { means: 'The host is ready and passes health checks.', advice: '' },
  disassociated: {
    means:
      'The host is ready and passes health checks. It is not in a cluster, or not registered with the container manager of its cluster.',
    advice: 'Add it to a cluster. If it is already in one, see its pending tasks.',
  },
  failed: {
    means: 'The bootstrap failed, or the host key changed. Hostler has stopped trying.',
    advice: 'Fix the cause that the reason names, then retry the bootstrap.',
  },
  unreachable: {
    means:
      'The host was ready, but it no longer responds or no longer accepts the login. Hostler keeps checking it.',
    advice: 'Fix the host or the network. The host recovers automatically.',
  },
};

const REASON_WORDS: Readonly<Record<HostReason, Words>> = {
  run_not_writable: {
    means: 'Hostler cannot write to /run/hostler on the host: /run is read-only or full.',
    advice: 'Run findmnt /run, df /run and df -i /run on the host. Free space or remount it, then retry.',
  },
  run_folder_unsafe: {
    means: 'Users other than root can access /run/hostler on the host, so Hostler runs nothing from it.',
    advice: 'Find out who created the folder, remove it, then retry.',
  },
  proc_not_readable: {
    means: 'The host cannot read its boot ID or its uptime under /proc.',
    advice: 'Check that /proc is mounted and that root can read it, then retry.',
  },
  unreachable: {
    means: 'Hostler could not connect to the host, or the connection broke every time.',
    advice:
      'Check that the host is up, that its address and port are correct, and that no firewall blocks SSH.',
  },
  timed_out: {
    means: 'The host accepted a connection or a command, but did not respond in time.',
    advice: 'Check the host for overload, a hanging disk, or a shell profile that never ends.',
  },
  auth_rejected: {
    means: 'The host rejects this user and key.',
    advice: 'Add the public key to the authorized_keys file of the user, or replace the credentials.',
  },
  no_shell: {
    means:
      'The login works, but the login shell of the user ended before it ran a command. The reason quotes its output.',
    advice:
      'Check that the host is not out of processes or memory. Give the user a shell that runs commands, and remove command="…" from the key.',
  },
  host_key_changed: {
    means: 'The host presented a different host key. Hostler did not log in.',
    advice:
      'Compare the fingerprints on the console of the host, then accept the key. If they differ, the connection may be intercepted.',
  },
  unsupported_os: {
    means: 'No driver supports this OS, or the tool that the driver needs is missing.',
    advice: 'Install the tool, use a supported OS, or add a driver.',
  },
  permanent_failure: {
    means: 'A command that joins the network or the container manager can never succeed on this host.',
    advice: 'Select another network for the cluster, or follow the reason.',
  },
  missing_program: {
    means:
      'The network or the container manager of the cluster needs a program that is not installed on the host.',
    advice: 'Install the program on the host. Hostler retries automatically.',
  },
  not_ready_yet: {
    means: 'The network setup ran, but the host is not in the network yet.',
    advice: 'See in the reason what is missing. Hostler retries automatically.',
  },
  not_registered: {
    means: 'The bootstrap is complete, but the container manager does not list it as a node yet.',
    advice: 'Check the agent of the container manager on the host.',
  },
  not_root: {
    means: 'The user is not root and cannot use sudo without a password.',
    advice: 'Allow NOPASSWD in sudoers, install sudo, or replace the credentials with those of root.',
  },
  command_failed: {
    means: 'A command exited with an error. The reason quotes its last line.',
    advice: 'Fix the error, for example free disk space.',
  },
  command_interrupted: {
    means: 'A job was killed on the host, or the host rebooted while the job ran.',
    advice: 'Check whether the host ran out of memory.',
  },
  still_running: {
    means: 'A job takes longer than its timeout. It keeps running, and the next attempt waits for it.',
    advice: 'Check what the job is doing on the host.',
  },
  not_started: {
    means: 'The host did not start a job.',
    advice: 'Check that /run has free space and that systemd responds.',
  },
  unexpected_output: {
    means: 'The login works, but Hostler cannot parse the output of a command on the host.',
    advice:
      'Log in as this user. Check that /bin/sh is a POSIX shell and that /proc is mounted, and run the tool that the reason names.',
  },
  network: {
    means: 'The network of the cluster cannot be joined, or its server does not respond.',
    advice: 'Follow the reason, or select another network for the cluster.',
  },
  packages_not_supported: {
    means: 'Packages are needed, but this OS cannot install packages.',
    advice: 'Report this as a bug.',
  },
  container_manager: {
    means: 'A request to the container manager failed. Hostler retries automatically.',
    advice: 'Check the container manager, and test its connection on the Container managers page.',
  },
  secret_damaged: {
    means: 'A secret in the store that the step needs cannot be decrypted. The reason names it.',
    advice: 'Find out who changed it. Set the secret again, or restore a backup.',
  },
  internal_error: {
    means: 'A step failed because of a bug in Hostler.',
    advice: 'See the server log and report the bug.',
  },
  rebooting: {
    means: 'An operation is rebooting the host. The host counts as unavailable in its cluster.',
    advice: 'Wait. The operation verifies that the host comes back.',
  },
};

/** The word that a reason begins with. */
export const reasonWord = (reason: string): string => /^[a-z_]+(?=:|$)/.exec(reason)?.[0] ?? '';

const isHostReason = (word: string): word is HostReason => Object.hasOwn(REASON_WORDS, word);

/** What a status and its reason mean, and what to do. The word of the reason says it more exactly. */
export function explainStatus(status: HostStatus, reason: string): Words {
  const word = reasonWord(reason);
  return isHostReason(word) ? REASON_WORDS[word] : STATUS_WORDS[status];
}
