import type { Command } from 'commander';
import { Argument, Option } from 'commander';
import { DEFAULT_REMOTE_USER, DEFAULT_SSH_PORT } from '../../domain/defaults.ts';
import type { ActionBuilder } from '../actions.ts';
import { addCommand, collectValues, yesOption } from '../actions.ts';
import { collectHosts, parseHost } from '../input/host-arguments.ts';
import { parseDuration, parsePort } from '../input/option-parsers.ts';
import { add } from './host/add.ts';
import { withHostFilter } from './host/arguments.ts';
import { acceptKey, creds } from './host/credentials.ts';
import { label, maintenance, remove, retry } from './host/manage.ts';
import { list, show, status } from './host/show.ts';
import type { ssh } from './host/ssh.ts';

/** Loaded on demand, because its key modules are slow to load. */
const openShell: typeof ssh = async (...args) => (await import('./host/ssh.ts')).ssh(...args);

const HOST = new Argument('<host>', 'Address or hostname of an enrolled host').argParser(parseHost);
const HOSTS = new Argument('<hosts...>', 'Addresses or hostnames of enrolled hosts').argParser(collectHosts);

const ADD_HELP = `
The private key must be in OpenSSH or PEM format and must not have a passphrase.
If you run the command again, hosts that are already enrolled do not change.
A DNS name is resolved on this machine, and the server stores the address.

Examples:
  hostler host add 192.0.2.7 --key ~/.ssh/fleet --cluster web --wait
  hostler host add web-1.example.org --key ~/.ssh/fleet
  hostler host add --from addresses.txt --key ~/.ssh/fleet --label rack=r1
`;

const SSH_HELP = `
Uses the user, port and private key that the server has stored for the host, and
accepts only the stored host keys. The private key is never written to a file.
Your ~/.ssh/config still applies, for example a jump host (ProxyJump). The exit
code is that of ssh.

Examples:
  hostler host ssh 192.0.2.7
  hostler host ssh 192.0.2.7 -- journalctl -u sshd -n 20
`;

const LABEL_HELP = `
Examples:
  hostler host label 192.0.2.7 zone=a1 role-      set zone, remove role
  hostler host label 192.0.2.7                    show all labels
`;

function addShowCommands(group: Command, cli: ActionBuilder): void {
  cli.addListAction(
    withHostFilter(addCommand(group, 'list', 'List hosts'))
      .option('--hostname <hostname>', 'Filter by hostname')
      .option('--search <text>', 'Filter by a part of the address, the hostname or a label'),
    list,
  );
  cli.addWatchAction(addCommand(group, 'show', 'Show a host with a summary of its status', HOST), show);
  cli.addWatchAction(
    addCommand(group, 'status', 'Show the full status of a host, including its node in the container manager', HOST),
    status,
  );
}

function addEnrolCommands(group: Command, cli: ActionBuilder): void {
  addCommand(group, 'add', 'Enrol hosts')
    .argument('[addresses...]', 'Host addresses, IPv4 or IPv6, or DNS names')
    .requiredOption('--key <file>', 'File with the private key for SSH')
    .option('--from <file>', 'File with more addresses or names, one per line (`-` for stdin)')
    .option(
      '--remote-user <name>',
      `SSH user; needs passwordless sudo unless it is root (default: ${DEFAULT_REMOTE_USER})`,
    )
    .option('--port <number>', `SSH port (default: ${DEFAULT_SSH_PORT})`, parsePort)
    .option('--cluster <cluster>', 'Cluster to join')
    .option(
      '--host-key <file>',
      'File with a public host key to pin (repeatable; default: the first key that the host offers)',
      collectValues,
    )
    .option('-l, --label <key=value>', 'Label to set (repeatable)', collectValues)
    .option('--transport <type>', 'Transport to the hosts (default: the setting transport of the server)')
    .option('--source <name>', 'Host source that provides the facts of the hosts')
    .option('--wait', 'Wait until each host is ready or has failed')
    .addOption(
      new Option('--timeout <duration>', 'Maximum time for --wait')
        .argParser(parseDuration)
        .default(parseDuration('10m'), '10m'),
    )
    .addHelpText('after', ADD_HELP)
    .action(cli.withSession(add));
}

function addAccessCommands(group: Command, cli: ActionBuilder): void {
  addCommand(group, 'ssh', 'Log in to a host with its stored credentials', HOST)
    .argument('[command...]', 'Command to run on the host, after --')
    .option('-t, --tty', 'Allocate a terminal on the host, also for a command')
    .addHelpText('after', SSH_HELP)
    .action(cli.withSession(openShell));
  addCommand(group, 'creds', 'Show or replace the credentials of a host; the audit log records each read', HOST)
    .option('--key-out <file>', 'Write the private key to a new file, mode 0600 (`-` for stdout)')
    .option('--set <file>', 'Replace the private key with this file, after testing it on the host')
    .option('--remote-user <name>', 'With --set: new SSH user (default: unchanged)')
    .action(cli.withSession(creds));
  addCommand(group, 'accept-key', 'Accept a changed host key', HOST)
    .argument('[fingerprint]', 'Fingerprint of the pending host key, as printed by `ssh-keygen -l`; prompts if omitted')
    .action(cli.withSession(acceptKey));
}

function addManageCommands(group: Command, cli: ActionBuilder): void {
  addCommand(group, 'label', 'Show, set or remove the labels of a host', HOST)
    .argument('[labels...]', 'Labels to set (key=value) or to remove (key-)')
    .addHelpText('after', LABEL_HELP)
    .action(cli.withSession(label));
  addCommand(group, 'maintenance', 'Start, end or show the maintenance of a host', HOST)
    .addArgument(new Argument('[state]', 'Omit it to show the current state').choices(['on', 'off']))
    .option('--reason <text>', 'With on: reason for the maintenance')
    .action(cli.withSession(maintenance));
  addCommand(group, 'retry', 'Retry the bootstrap of hosts', HOSTS).action(cli.withSession(retry));
  addCommand(group, 'remove', 'Remove hosts, with their cluster membership and credentials', HOSTS)
    .addOption(yesOption())
    .action(cli.withSession(remove));
}

export function addHostCommands(program: Command, cli: ActionBuilder): void {
  const group = addCommand(program, 'host', 'Manage hosts');
  addEnrolCommands(group, cli);
  addShowCommands(group, cli);
  addAccessCommands(group, cli);
  addManageCommands(group, cli);
}
