import type { HostStatus } from '#vocabulary';

/** What docs/reference/host-reasons.md says of a word: what it means, and what to do about it. A test compares which words there are. */
interface Words {
  readonly means: string;
  readonly advice: string;
}

export const STATUS_WORDS: Readonly<Record<HostStatus, Words>> = {
  investigating: {
    means: 'It is enrolled, or begins anew. It is tried until it lets us in, then its facts are read.',
    advice: 'Wait.',
  },
  bootstrapping: { means: 'Its facts are there, and it is being made ready.', advice: 'Wait.' },
  active: { means: 'It is ready and answers.', advice: '' },
  disassociated: {
    means:
      'It is ready and answers. It is in no cluster, or not registered with the container manager of its cluster.',
    advice:
      'Put it into a cluster if you want. In a cluster it waits to become a node: its pending tasks say for what.',
  },
  failed: {
    means: 'It could not be made ready, or it shows another host key. Nothing is tried any more.',
    advice: 'Read the reason, mend what it says, then bootstrap it again.',
  },
  unreachable: {
    means: 'It was ready, and does not answer now or does not let us in. It is asked again and again.',
    advice: 'Mend the host or the network; it comes back by itself.',
  },
};

export const REASON_WORDS: Readonly<Record<string, Words>> = {
  run_not_writable: {
    means: 'Hostler cannot write to /run/hostler on the host: /run is read-only or full.',
    advice: 'Run findmnt /run, df /run and df -i /run on the host. Free space or remount it, then retry.',
  },
  run_folder_unsafe: {
    means: '/run/hostler on the host is not a folder of root alone, so nothing is started from it.',
    advice: 'Find out who created it, remove it, then retry.',
  },
  proc_not_readable: {
    means: 'The host cannot read its boot ID or its uptime under /proc.',
    advice: 'Check that /proc is mounted and that root can read it, then retry.',
  },
  unreachable: {
    means: 'No connection came about, or it broke each time.',
    advice: 'Is the host up? Are address and port right, is a firewall in between?',
  },
  timed_out: {
    means: 'It took a connection or a command and did not answer in time.',
    advice:
      'Look at the host: is it overloaded, does a disk hang? Does a profile of that user print without end?',
  },
  auth_rejected: {
    means: 'It answers, and does not let this user in with this key.',
    advice: 'Put the public key into the authorized_keys of that user, or replace the credentials.',
  },
  no_shell: {
    means:
      'It lets us in, and the login shell of the user ended before it ran anything. What it said is quoted.',
    advice:
      'Is the host out of processes or memory? Else give the user a shell that runs commands, and the key no command="…".',
  },
  host_key_changed: {
    means: 'It shows another host key than those it is held to. We did not log in.',
    advice:
      'Compare fingerprints at the host itself, then accept the key. If they differ, somebody is in between.',
  },
  unsupported_os: {
    means: 'No driver knows its system, or the tool of its driver is missing.',
    advice: 'Install that tool, use one of the supported systems, or add a driver.',
  },
  permanent_failure: {
    means:
      'A command that brings it into its network, or makes it a node, says that this will never succeed.',
    advice: 'Give the cluster another network, or do what the reason says.',
  },
  missing_program: {
    means: 'The network or the container manager of its cluster needs a program that the host does not have.',
    advice: 'Install it on the host; it is looked for again by itself.',
  },
  not_ready_yet: {
    means: 'What brought it into its network ran, and what proves that it is in it is not there yet.',
    advice: 'Read what is missing; it is asked for again by itself.',
  },
  not_registered: {
    means: 'The host has done its part, and the container manager does not have it as a node yet.',
    advice: 'Look at the agent of the container manager on the host.',
  },
  not_root: {
    means: 'The user is not root, and sudo does not make it root without a password.',
    advice: 'Allow it in sudoers (NOPASSWD), install sudo, or replace the credentials by those of root.',
  },
  command_failed: {
    means: 'A command ended with another code than 0; its last line is quoted.',
    advice: 'Do what it says, such as free some disk.',
  },
  command_interrupted: {
    means: 'A job was killed on the host before it ended, or the host rebooted while it ran.',
    advice: 'Look at the host: did it run out of memory?',
  },
  still_running: {
    means:
      'A job takes longer than we wait. It goes on at the host, and the next try waits for the same one.',
    advice: 'Look at what it does there.',
  },
  not_started: {
    means: 'The host did not start a job, or what it says of the job makes no sense.',
    advice: 'Look at the host: is there room in /run, does systemd answer?',
  },
  unexpected_output: {
    means: 'Login works, but Hostler cannot parse the output of a command.',
    advice:
      'Log in as this user. Check that /bin/sh is a POSIX shell and /proc is mounted, and run the tool that the reason names.',
  },
  network: {
    means: 'No host can be brought into the network of its cluster, or a server of it does not answer.',
    advice: 'Do what the reason says, or give the cluster another network.',
  },
  packages_not_supported: { means: 'Packages are needed, and the system takes none.', advice: 'Report it.' },
  container_manager: {
    means: 'A container manager did not do what it was asked. It is tried again.',
    advice: 'Look at the container manager, and check its record.',
  },
  internal_error: {
    means: 'A step broke by a fault of Hostler’s own.',
    advice: 'The log of the service says more; please report it.',
  },
  rebooting: {
    means: 'An operation has it reboot. It counts as unavailable in its cluster.',
    advice: 'Wait: the operation proves that it is back.',
  },
};

/** The word that a reason begins with. */
export const reasonWord = (reason: string): string => /^[a-z_]+(?=:|$)/.exec(reason)?.[0] ?? '';

/** What a status and its reason mean, and what to do. The word of the reason says it more exactly. */
export function explainStatus(status: HostStatus, reason: string): Words {
  const word = reasonWord(reason);
  const words = Object.hasOwn(REASON_WORDS, word) ? REASON_WORDS[word] : undefined;
  return words ?? STATUS_WORDS[status];
}
