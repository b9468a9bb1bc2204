import type { Command } from 'commander';
import { DEFAULT_TARGET_PORT } from '../../domain/defaults.ts';
import { usageProblem } from '../cli-problem.ts';
import type { CommandLine } from '../command-line.ts';
import { readPort } from '../read-number.ts';
import type { Session } from '../session.ts';
import type { HostFilter } from './host/filter.ts';
import { hostQuery, withHostFilter } from './host/filter.ts';

interface AnsibleOptions extends HostFilter {
  readonly list?: true;
  readonly host?: string;
}

async function ansible({ client, print }: Session, { list, host, ...filter }: AnsibleOptions): Promise<void> {
  if (list && host !== undefined) throw usageProblem('--list and --host cannot be combined');
  const query = { ...hostQuery(filter), ...(host !== undefined && { host }) };
  const { body } = await client.getAnsibleInventory({ query });
  await print.raw(body, '_meta' in body ? Object.keys(body._meta.hostvars) : [body.ansible_host]);
}

async function prometheus(
  { client, print }: Session,
  { port, ...filter }: HostFilter & { readonly port?: number },
): Promise<void> {
  const query = { ...hostQuery(filter), ...(port !== undefined && { port }) };
  const { body } = await client.getPrometheusTargets({ query });
  await print.raw(
    body,
    body.map(({ labels }) => labels['__meta_hostler_address'] ?? ''),
  );
}

export function addInventoryCommands(program: Command, cli: CommandLine): void {
  const noun = program.command('inventory').description('Export hosts for Ansible and Prometheus');
  withHostFilter(
    noun
      .command('ansible')
      .description('Print a dynamic inventory for Ansible')
      .option('--list', 'Print all hosts and groups (default)')
      .option('--host <address>', 'Print only the variables of this host'),
  )
    .addHelpText(
      'after',
      `
To use the inventory in Ansible, create an executable script:

  #!/bin/sh
  exec hostler inventory ansible --status active "$@"
`,
    )
    .action(cli.withSession(ansible));
  withHostFilter(
    noun
      .command('prometheus')
      .description('Print targets for Prometheus, in the format of file_sd and http_sd')
      .option('--port <number>', `Port of the targets (default: ${DEFAULT_TARGET_PORT})`, readPort),
  )
    .addHelpText(
      'after',
      '\nExample:\n  hostler inventory prometheus --cluster web > /etc/prometheus/targets/web.json\n',
    )
    .action(cli.withSession(prometheus));
}
