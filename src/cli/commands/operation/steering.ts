import type { Command } from 'commander';
import { Option } from 'commander';
import type { Client } from '../../../client/client.ts';
import { PARTITION_ADVICE } from '../../../client/operation-words.ts';
import type { OperationAction } from '../../../domain/vocabulary.ts';
import type { CommandLine } from '../../command-line.ts';
import { operationName } from '../../output/operation-name.ts';
import { listed } from '../../policy/policy-options.ts';
import type { Session } from '../../session.ts';
import type { Operation } from './find-operation.ts';
import { findOperation } from './find-operation.ts';

interface SteeringOptions {
  /** Addresses of members that the operation leaves out; only for `retry`. */
  readonly exclude?: readonly string[];
}

type Ask = (
  client: Client,
  id: string,
  hosts: readonly string[],
  options: SteeringOptions,
) => Promise<{ readonly body: Operation }>;

interface Steering {
  readonly what: string;
  readonly ask: Ask;
  /** Description of the argument `hosts`, for commands that take hosts. */
  readonly hosts?: string;
  readonly takesExclude?: true;
  /** Notes and examples at the end of the help text. */
  readonly help?: string;
}

/** Columns, as in the other help texts. */
const HELP_WIDTH = 80;

/** Without `hosts`, the server selects all failed hosts. */
const hostsBody = (hosts: readonly string[]) => (hosts.length === 0 ? {} : { hosts: [...hosts] });

const STEERING: Readonly<Record<OperationAction, Steering>> = {
  pause: {
    what: 'Pause an operation: no new host starts, hosts in flight finish',
    ask: (client, id) => client.pauseOperation({ id, body: {} }),
  },
  resume: {
    what: 'Resume a paused operation',
    help: `\nIf the operation is paused because most of its hosts cannot be reached: ${PARTITION_ADVICE.join('; ')}.\n`,
    ask: (client, id) => client.resumeOperation({ id, body: {} }),
  },
  cancel: {
    what: 'Cancel an operation: hosts in flight finish or are rolled back',
    ask: (client, id) => client.cancelOperation({ id, body: {} }),
  },
  retry: {
    what: 'Retry failed hosts and continue with pending hosts',
    hosts: 'Host addresses (default: all failed hosts)',
    takesExclude: true,
    help: `
Example, after a failure because 127.0.0.2 is down:
  hostler operation retry web --exclude 127.0.0.2
`,
    ask: (client, id, hosts, { exclude }) =>
      client.retryHosts({ id, body: { ...hostsBody(hosts), ...(exclude && { exclude: [...exclude] }) } }),
  },
  skip: {
    what: 'Skip hosts. Skipped hosts are not counted until they are active again',
    hosts: 'Host addresses (default: all failed hosts)',
    ask: (client, id, hosts) => client.skipHosts({ id, body: hostsBody(hosts) }),
  },
};

const steer =
  (ask: Ask) =>
  async (
    session: Session,
    options: SteeringOptions,
    text: string,
    hosts: readonly string[] = [],
  ): Promise<void> => {
    const { id } = await findOperation(session.client, text);
    const { body: value } = await ask(session.client, id, hosts, options);
    await session.print.done(`${operationName(value)} (${id}) is ${value.state}`, {
      value,
      name: id,
    });
  };

const printGlobalPause =
  (ask: (client: Client) => Promise<{ readonly body: { readonly paused: boolean } }>) =>
  async ({ client, print }: Session): Promise<void> => {
    const { body: value } = await ask(client);
    const sentence = value.paused
      ? 'All operations are paused. Resume them with: hostler operation resume-all'
      : 'Operations are not paused globally.';
    await print.done(sentence, { value, name: value.paused ? 'paused' : 'running' });
  };

export function addSteeringCommands(
  noun: Command,
  cli: CommandLine,
  operation: readonly [string, string],
): void {
  for (const [verb, { what, ask, hosts, takesExclude, help = '' }] of Object.entries(STEERING)) {
    const command = noun
      .command(verb)
      .description(what)
      .argument(...operation);
    if (hosts !== undefined) command.argument('[hosts...]', hosts);
    if (takesExclude)
      command.addOption(
        new Option(
          '--exclude <addresses>',
          'Exclude these members (comma-separated): they are skipped, and not counted until they are active again',
        ).argParser(listed),
      );
    command
      .addHelpText('after', () => command.createHelp().boxWrap(help, HELP_WIDTH))
      .action(cli.withSession(steer(ask)));
  }
  noun
    .command('pause-all')
    .description('Pause all operations, including new ones (role admin)')
    .action(cli.withSession(printGlobalPause(client => client.pauseAllOperations({ body: {} }))));
  noun
    .command('resume-all')
    .description('End the pause of all operations (role admin); operations paused individually stay paused')
    .action(cli.withSession(printGlobalPause(client => client.resumeAllOperations({ body: {} }))));
  noun
    .command('pause-status')
    .description('Show whether all operations are paused')
    .action(cli.withSession(printGlobalPause(client => client.getGlobalPause())));
}
