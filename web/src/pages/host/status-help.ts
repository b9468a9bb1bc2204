import type { HostReason, HostStatus } from '#vocabulary';

/** Meaning of a status or reason, and what to do. A short form of docs/reference/host-reasons.md. */
interface StatusHelp {
  readonly meaning: string;
  readonly action: string;
}

const STATUS_HELP: Readonly<Record<HostStatus, StatusHelp>> = {
  investigating: {
    meaning: 'Hostler is connecting to the host and reading its facts. It retries until the login works.',
    action: 'Wait.',
  },
  bootstrapping: {
    meaning: 'Hostler has read the facts of the host and is bootstrapping it.',
    action: 'Wait.',
  },
  active: { meaning: 'The host is ready and passes health checks.', action: '' },
  disassociated: {
    meaning:
      'The host is ready and passes health checks. It is not in a cluster, or not registered with the container manager of its cluster.',
    action: 'Add it to a cluster. If it is already in one, see its pending tasks.',
  },
  failed: {
    meaning: 'The bootstrap failed, or the host key changed. Hostler has stopped trying.',
    action: 'Fix the cause that the reason names, then retry the bootstrap.',
  },
  unreachable: {
    meaning: 'The host was ready, but it no longer responds or no longer accepts the login. Hostler keeps checking it.',
    action: 'Fix the host or the network. The host recovers automatically.',
  },
};

const REASON_HELP: Readonly<Record<HostReason, StatusHelp>> = {
  run_not_writable: {
    meaning: 'Hostler cannot write to /run/hostler on the host: /run is read-only or full.',
    action: 'Run findmnt /run, df /run and df -i /run on the host. Free space or remount it, then retry.',
  },
  run_folder_unsafe: {
    meaning: 'Users other than root can access /run/hostler on the host, so Hostler runs nothing from it.',
    action: 'Find out who created the folder, remove it, then retry.',
  },
  proc_not_readable: {
    meaning: 'The host cannot read its boot ID or its uptime under /proc.',
    action: 'Check that /proc is mounted and that root can read it, then retry.',
  },
  unreachable: {
    meaning: 'Hostler could not connect to the host, or the connection broke every time.',
    action: 'Check that the host is up, that its address and port are correct, and that no firewall blocks SSH.',
  },
  timed_out: {
    meaning: 'The host accepted a connection or a command, but did not respond in time.',
    action: 'Check the host for overload, a hanging disk, or a shell profile that never ends.',
  },
  auth_rejected: {
    meaning: 'The host rejects this user and key.',
    action: 'Add the public key to the authorized_keys file of the user, or replace the credentials.',
  },
  no_shell: {
    meaning:
      'The login works, but the login shell of the user ended before it ran a command. The reason quotes its output.',
    action:
      'Check that the host is not out of processes or memory. Give the user a shell that runs commands, and remove command="…" from the key.',
  },
  host_key_changed: {
    meaning: 'The host presented a different host key. Hostler did not log in.',
    action:
      'Compare the fingerprints on the console of the host, then accept the key. If they differ, the connection may be intercepted.',
  },
  unsupported_os: {
    meaning: 'No driver supports this OS, or the tool that the driver needs is missing.',
    action: 'Install the tool, use a supported OS, or add a driver.',
  },
  permanent_failure: {
    meaning: 'A command that joins the network or the container manager can never succeed on this host.',
    action: 'Select another network for the cluster, or follow the reason.',
  },
  missing_program: {
    meaning: 'The network or the container manager of the cluster needs a program that is not installed on the host.',
    action: 'Install the program on the host. Hostler retries automatically.',
  },
  not_ready_yet: {
    meaning: 'The network setup ran, but the host is not in the network yet.',
    action: 'See in the reason what is missing. Hostler retries automatically.',
  },
  not_registered: {
    meaning: 'The bootstrap is complete, but the container manager does not list it as a node yet.',
    action: 'Check the agent of the container manager on the host.',
  },
  not_root: {
    meaning: 'The user is not root and cannot use sudo without a password.',
    action: 'Allow NOPASSWD in sudoers, install sudo, or replace the credentials with those of root.',
  },
  command_failed: {
    meaning: 'A command exited with an error. The reason quotes its last line.',
    action: 'Fix the error, for example free disk space.',
  },
  command_interrupted: {
    meaning: 'A job was killed on the host, or the host rebooted while the job ran.',
    action: 'Check whether the host ran out of memory.',
  },
  still_running: {
    meaning: 'A job takes longer than its timeout. It keeps running, and the next attempt waits for it.',
    action: 'Check what the job is doing on the host.',
  },
  not_started: {
    meaning: 'The host did not start a job.',
    action: 'Check that /run has free space and that systemd responds.',
  },
  unexpected_output: {
    meaning: 'The login works, but Hostler cannot parse the output of a command on the host.',
    action:
      'Log in as this user. Check that /bin/sh is a POSIX shell and that /proc is mounted, and run the tool that the reason names.',
  },
  network: {
    meaning: 'The network of the cluster cannot be joined, or its server does not respond.',
    action: 'Follow the reason, or select another network for the cluster.',
  },
  packages_not_supported: {
    meaning: 'Packages are needed, but this OS cannot install packages.',
    action: 'Report this as a bug.',
  },
  container_manager: {
    meaning: 'A request to the container manager failed. Hostler retries automatically.',
    action: 'Check the container manager, and test its connection on the Container managers page.',
  },
  secret_damaged: {
    meaning: 'A secret in the store that the step needs cannot be decrypted. The reason names it.',
    action: 'Find out who changed it. Set the secret again, or restore a backup.',
  },
  internal_error: {
    meaning: 'A step failed because of a bug in Hostler.',
    action: 'See the server log and report the bug.',
  },
  rebooting: {
    meaning: 'An operation is rebooting the host. The host counts as unavailable in its cluster.',
    action: 'Wait. The operation verifies that the host comes back.',
  },
};

export const parseReasonCode = (reason: string): string => /^[a-z_]+(?=:|$)/.exec(reason)?.[0] ?? '';

const CREDENTIAL_REASONS: readonly string[] = ['auth_rejected', 'not_root'] satisfies readonly HostReason[];

/** Whether other credentials can fix the reason. */
export const concernsCredentials = (reason: string): boolean => CREDENTIAL_REASONS.includes(parseReasonCode(reason));

const isHostReason = (code: string): code is HostReason => Object.hasOwn(REASON_HELP, code);

/** The help of a known reason is more specific than the help of the status. */
export function getStatusHelp(status: HostStatus, reason: string): StatusHelp {
  const code = parseReasonCode(reason);
  return isHostReason(code) ? REASON_HELP[code] : STATUS_HELP[status];
}
