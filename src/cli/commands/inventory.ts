import type { Command } from 'commander';
import type { CommandLine } from '../command-line.ts';
import { usageProblem } from '../exit-codes.ts';
import { readPort } from '../read-port.ts';
import type { Session } from '../session.ts';
import type { HostFilter } from './host-filter.ts';
import { hostQuery, withHostFilter } from './host-filter.ts';

interface AnsibleOptions extends HostFilter {
  readonly list?: true;
  readonly host?: string;
}

/** Ansible and Prometheus read JSON; people read it as YAML, if they say so. */
async function write({ print, terminal }: Session, value: unknown): Promise<void> {
  const isYaml = print.format === 'yaml';
  terminal.write(isYaml ? (await import('yaml')).stringify(value) : `${JSON.stringify(value, null, 2)}\n`);
}

async function ansible(session: Session, { list, host, ...filter }: AnsibleOptions): Promise<void> {
  if (list && host !== undefined) throw usageProblem('either --list or --host');
  const query = { ...hostQuery(filter), ...(host !== undefined && { host }) };
  await write(session, (await session.client.readAnsibleInventory({ query })).body);
}

async function prometheus(session: Session, { port, ...filter }: HostFilter & { readonly port?: number }) {
  const query = { ...hostQuery(filter), ...(port !== undefined && { port }) };
  await write(session, (await session.client.readPrometheusTargets({ query })).body);
}

export function addInventoryCommands(program: Command, cli: CommandLine): void {
  const noun = program.command('inventory').description('hosts, in the forms that other tools read');
  withHostFilter(
    noun
      .command('ansible')
      .description('a dynamic inventory for Ansible')
      .option('--list', 'all hosts and groups; so it is without it')
      .option('--host <address>', 'the variables of this host alone'),
  )
    .addHelpText(
      'after',
      `
An inventory script for Ansible is two lines, executable:

  #!/bin/sh
  exec hostler inventory ansible --status active "$@"
`,
    )
    .action(cli.withSession(ansible));
  withHostFilter(
    noun
      .command('prometheus')
      .description('targets for Prometheus, as its file_sd and http_sd read them')
      .option('--port <number>', 'the port of the targets (default: 9100)', readPort),
  )
    .addHelpText(
      'after',
      '\n  hostler inventory prometheus --cluster web > /etc/prometheus/targets/web.json\n',
    )
    .action(cli.withSession(prometheus));
}
