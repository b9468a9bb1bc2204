import type { Command } from 'commander';
import { Argument, Option } from 'commander';
import { DEFAULT_REMOTE_USER, DEFAULT_SSH_PORT } from '../../domain/defaults.ts';
import type { CommandLine } from '../command-line.ts';
import { several, watchOption, yesOption } from '../command-line.ts';
import { parseDuration } from '../durations.ts';
import { readPort } from '../read-number.ts';
import { acceptKey } from './host/accept-key.ts';
import { add } from './host/add.ts';
import { parseAddress, parseAddresses } from './host/addresses.ts';
import { label, maintenance, remove, retry } from './host/care.ts';
import { creds } from './host/creds.ts';
import { withHostFilter } from './host/filter.ts';
import { list } from './host/list.ts';
import { show, status } from './host/show.ts';
import type { ssh } from './host/ssh.ts';

/** Loaded when it is wanted: the keys that it reads take their time to load. */
const openShell: typeof ssh = async (...given) => (await import('./host/ssh.ts')).ssh(...given);

const ADDRESS = ['<address>', 'of the host, IPv4 or IPv6', parseAddress] as const;
const ADDRESSES = ['<addresses...>', 'hosts that are enrolled', parseAddresses] as const;

const ADD_HELP = `
The key is the private one of OpenSSH or PEM, without a passphrase. A repeat goes over hosts that are there already.

  hostler host add 192.0.2.7 --key ~/.ssh/fleet --cluster web --wait
  hostler host add --from addresses.txt --key ~/.ssh/fleet --label rack=r1
`;

const SSH_HELP = `
Logs in with the user, port and key that the service has, and only if the host shows a key that the service knows it by. The private
key is in no file on the way. What is in your ~/.ssh/config for the address still counts, such as a jump host. It ends as ssh does.

  hostler host ssh 192.0.2.7
  hostler host ssh 192.0.2.7 -- journalctl -u sshd -n 20
`;

const LABEL_HELP = `
  hostler host label 192.0.2.7 zone=a1 role-      set one, take one away
  hostler host label 192.0.2.7                    show them
`;

function addLooks(noun: Command, cli: CommandLine): void {
  withHostFilter(noun.command('list').description('all hosts'))
    .addOption(watchOption())
    .action(cli.showing(list));
  noun
    .command('show')
    .description('one host: its record, and what matters of its status')
    .argument(...ADDRESS)
    .addOption(watchOption())
    .action(cli.showing(show));
  noun
    .command('status')
    .description('the whole status report of a host, with what its container manager says')
    .argument(...ADDRESS)
    .addOption(watchOption())
    .action(cli.showing(status));
}

function addEnrolment(noun: Command, cli: CommandLine): void {
  noun
    .command('add')
    .description('enrol hosts')
    .argument('[addresses...]', 'IPv4 or IPv6')
    .requiredOption('--key <file>', 'the private key that lets us in')
    .option(
      '--from <file>',
      'enrol the addresses in this file too, one in each line; - is the standard input',
    )
    .option(
      '--remote-user <name>',
      `log in as this user, who has sudo without a password (default: ${DEFAULT_REMOTE_USER})`,
    )
    .option('--port <number>', `the port of sshd (default: ${DEFAULT_SSH_PORT})`, readPort)
    .option('--cluster <cluster>', 'let them join this cluster')
    .option(
      '--host-key <file>',
      'a public key of the host, which is pinned; else the first it shows',
      several,
    )
    .option('-l, --label <key=value>', 'give them this label', several)
    .option('--transport <type>', 'how they are reached, if not as the configuration says')
    .option('--source <name>', 'the host source that their facts come from')
    .option('--wait', 'until each is ready or has failed')
    .addOption(
      new Option('--timeout <duration>', 'wait no longer than this')
        .argParser(parseDuration)
        .default(parseDuration('10m'), '10m'),
    )
    .addHelpText('after', ADD_HELP)
    .action(cli.withSession(add));
}

function addAccess(noun: Command, cli: CommandLine): void {
  noun
    .command('ssh')
    .description('log in to a host with the credentials of the service')
    .argument(...ADDRESS)
    .argument('[command...]', 'run this there, after --')
    .option('-t, --tty', 'with a terminal at the other side, also for a command')
    .addHelpText('after', SSH_HELP)
    .action(cli.withSession(openShell));
  noun
    .command('creds')
    .description('the credentials of a host; each read is in the audit log')
    .argument(...ADDRESS)
    .option(
      '--key-out <file>',
      'write the private key to this new file, for you alone; - is the standard output',
    )
    .option('--set <file>', 'replace the key by this one, once it is proved to work')
    .option('--remote-user <name>', 'with --set: also the user')
    .action(cli.withSession(creds));
  noun
    .command('accept-key')
    .description('accept the other key that a host shows')
    .argument(...ADDRESS)
    .argument('[fingerprint]', 'of that key, as ssh-keygen -l prints it; left out: it is shown and asked for')
    .action(cli.withSession(acceptKey));
}

function addCare(noun: Command, cli: CommandLine): void {
  noun
    .command('label')
    .description('show, set and take away the labels of a host')
    .argument(...ADDRESS)
    .argument('[labels...]', 'key=value sets it, key- takes it away')
    .addHelpText('after', LABEL_HELP)
    .action(cli.withSession(label));
  noun
    .command('maintenance')
    .description('take a host out of service, or back')
    .argument(...ADDRESS)
    .addArgument(new Argument('[state]', 'left out: it is shown').choices(['on', 'off']))
    .option('--reason <text>', 'why, for people')
    .action(cli.withSession(maintenance));
  noun
    .command('retry')
    .description('investigate and bootstrap hosts again')
    .argument(...ADDRESSES)
    .action(cli.withSession(retry));
  noun
    .command('remove')
    .description('remove hosts; they leave their cluster, and their credentials are gone')
    .argument(...ADDRESSES)
    .addOption(yesOption())
    .action(cli.withSession(remove));
}

export function addHostCommands(program: Command, cli: CommandLine): void {
  const noun = program.command('host').description('hosts: how they are, how they are reached');
  for (const addSome of [addEnrolment, addLooks, addAccess, addCare]) addSome(noun, cli);
}
