import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { PolicyWish } from '../../contract/policy.ts';
import type { CommandLine } from '../command-line.ts';
import { several } from '../command-line.ts';
import type { PolicyFlags } from '../policy/policy-options.ts';
import { withPolicyOptions } from '../policy/policy-options.ts';
import { policyWish } from '../policy/policy-wish.ts';
import type { Session } from '../session.ts';

interface PolicyOptions extends PolicyFlags {
  readonly unset?: readonly string[];
}

/** `dry_run` is not part of a cluster policy. */
const FIELDS = Object.keys(PolicyWish.properties).filter(field => field !== 'dry_run');

function readField(text: string, before: readonly string[] | undefined): readonly string[] {
  if (!FIELDS.includes(text)) throw new InvalidArgumentError(`The fields are ${FIELDS.join(', ')}.`);
  return several(text, before);
}

async function showPolicy({ print, terminal }: Session, name: string, value: object): Promise<void> {
  const fields = Object.entries(value).map(([label, each]) => ({
    label,
    text: typeof each === 'string' ? each : JSON.stringify(each),
  }));
  if (fields.length === 0 && print.isForPeople)
    terminal.tell(`Cluster ${name} has no policy: its operations use the built-in defaults.\n`);
  else await print.show({ value, name, fields });
}

/** With flags or a file it is changed, then shown. */
async function policy(session: Session, options: PolicyOptions, name: string): Promise<void> {
  const { client, terminal } = session;
  const { body: before } = await client.getClusterPolicy({ name });
  const { unset = [] } = options;
  const wish = await policyWish(options, terminal, before);
  if (wish === undefined && unset.length === 0) return showPolicy(session, name, before);
  const kept = Object.entries(wish ?? before).filter(([field]) => !unset.includes(field));
  const { body: value } = await client.putClusterPolicy({ name, body: Object.fromEntries(kept) });
  await showPolicy(session, name, value);
}

export function addClusterPolicyCommand(noun: Command, cli: CommandLine): void {
  const command = noun
    .command('policy')
    .description('Show the policy of a cluster, or change it with flags')
    .argument('<cluster>', 'Cluster name')
    .addOption(
      new Option(
        '--unset <field>',
        'Remove a field from the policy, so that its default applies (repeatable)',
      )
        .choices(FIELDS)
        .argParser(readField),
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
