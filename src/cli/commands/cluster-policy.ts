import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { PolicyInput } from '../../contract/policy.ts';
import type { ActionBuilder } from '../actions.ts';
import { addCommand, collectValues } from '../actions.ts';
import { formatValue } from '../output/format.ts';
import { readPolicyInput } from '../policy/policy-input.ts';
import type { PolicyFlags } from '../policy/policy-options.ts';
import { withPolicyOptions } from '../policy/policy-options.ts';
import { resolvePolicyHosts } from '../resolve-hosts.ts';
import type { Session } from '../session.ts';

/** `dry_run` is not part of a cluster policy. */
const FIELDS = Object.keys(PolicyInput.properties).filter(field => field !== 'dry_run');

function collectFieldName(text: string, previous: readonly string[] | undefined): readonly string[] {
  if (!FIELDS.includes(text)) throw new InvalidArgumentError(`The fields are ${FIELDS.join(', ')}.`);
  return collectValues(text, previous);
}

async function printPolicy({ printer, terminal }: Session, name: string, value: object): Promise<void> {
  const fields = Object.entries(value).map(([label, field]) => [label, formatValue(field)] as const);
  if (fields.length === 0 && printer.isHumanReadable)
    terminal.writeErr(`Cluster ${name} has no policy: its operations use the built-in defaults.\n`);
  else await printer.printRecord(value, name, fields);
}

async function policy(
  session: Session,
  options: PolicyFlags & { readonly unset?: readonly string[] },
  name: string,
): Promise<void> {
  const { client, terminal } = session;
  const { body: current } = await client.getClusterPolicy({ name });
  const { unset = [] } = options;
  const policyInput = await readPolicyInput(await resolvePolicyHosts(client, options), terminal, current);
  if (policyInput === undefined && unset.length === 0) return printPolicy(session, name, current);
  const entries = Object.entries(policyInput ?? current).filter(([field]) => !unset.includes(field));
  const { body: value } = await client.putClusterPolicy({ name, body: Object.fromEntries(entries) });
  await printPolicy(session, name, value);
}

export function addClusterPolicyCommand(group: Command, cli: ActionBuilder): void {
  const command = addCommand(group, 'policy', 'Show the policy of a cluster, or change it with flags')
    .argument('<cluster>', 'Cluster name')
    .addOption(
      new Option('--unset <field>', 'Remove a field from the policy, so that its default applies (repeatable)')
        .choices(FIELDS)
        .argParser(collectFieldName),
    );
  withPolicyOptions(command, 'Policy fields to set (default of other fields: the built-in defaults):')
    .addHelpText(
      'after',
      `
Examples:
  hostler cluster policy web
  hostler cluster policy web --max-unavailable 25% --on-failure pause
  hostler cluster policy web --unset max_unavailable
`,
    )
    .action(cli.withSession(policy));
}
