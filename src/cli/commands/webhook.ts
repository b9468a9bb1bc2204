import type { Command } from 'commander';
import type { Static } from 'typebox';
import { utcTime } from '../../client/times.ts';
import type { Webhook } from '../../contract/routes/webhooks.ts';
import { atOnce } from '../at-once.ts';
import type { CommandLine } from '../command-line.ts';
import { several, watchOption, yesOption } from '../command-line.ts';
import { confirm } from '../confirm.ts';
import { statusStyle } from '../output/status-style.ts';
import type { Column } from '../output/table.ts';
import { ago } from '../output/time-words.ts';
import { readSecret } from '../read-secret.ts';
import type { Session } from '../session.ts';
import { showChecked } from './checked.ts';

type WebhookRecord = Static<typeof Webhook>;

const columns = (nowMs: number): readonly Column<WebhookRecord>[] => [
  { header: 'NAME', of: ({ name }) => name },
  { header: 'STATE', of: ({ state }) => state, style: ({ state }) => statusStyle(state) },
  { header: 'PENDING', of: ({ pending }) => String(pending), isRight: true },
  { header: 'LAST DELIVERY', of: ({ delivered_at }) => ago(delivered_at, nowMs) },
  { header: 'EVENTS', of: ({ events }) => events.join(' '), isWide: true, isCuttable: true },
  { header: 'URL', of: ({ url }) => url, isCuttable: true },
];

async function list({ client, print, terminal }: Session): Promise<void> {
  const { body: names } = await client.listWebhooks();
  const rows = await atOnce(names, async name => (await client.getWebhook({ name })).body);
  await print.list({
    rows,
    columns: columns(terminal.clock.now()),
    nameOf: ({ name }) => name,
    whenEmpty: 'No webhooks found. Create one with: hostler webhook create NAME --url URL',
  });
}

async function show({ client, print }: Session, _options: object, name: string): Promise<void> {
  const { body: value } = await client.getWebhook({ name });
  await print.show({
    ...{ value, name },
    fields: [
      { label: 'name', text: value.name },
      { label: 'state', text: value.state, style: statusStyle(value.state) },
      { label: 'problem', text: value.problem },
      { label: 'url', text: value.url },
      { label: 'events', text: value.events.join(' ') },
      { label: 'pending', text: String(value.pending) },
      { label: 'last delivery', text: utcTime(value.delivered_at) },
      { label: 'failing since', text: utcTime(value.failing_since) },
      { label: 'attempts', text: value.attempts === 0 ? '' : String(value.attempts) },
      { label: 'next attempt', text: utcTime(value.next_attempt_at) },
      { label: 'disabled', text: utcTime(value.disabled_at) },
      { label: 'created', text: utcTime(value.created_at) },
      { label: 'resume with', text: value.state === 'disabled' ? `hostler webhook resume ${name}` : '' },
    ],
  });
}

interface CreateOptions {
  readonly url: string;
  readonly event?: readonly string[];
  readonly secretStdin?: true;
  readonly replace?: true;
}

async function create({ client, print, terminal }: Session, options: CreateOptions, name: string) {
  const { url, event, secretStdin = false, replace } = options;
  const secret = await readSecret(terminal, {
    what: `secret of ${name}`,
    flag: '--secret-stdin',
    isOnInput: secretStdin,
    isNew: true,
  });
  const { status, body: value } = await client.putWebhook({
    name,
    body: { url, secret, ...(event && { events: [...event] }) },
    ...(replace && { headers: { 'if-match': '*' } }),
  });
  const what = status === 201 ? 'created' : replace ? 'replaced' : 'already exists';
  await print.done(`webhook ${name} ${what}`, { value, name });
}

async function remove({ client, print, terminal }: Session, { yes }: { readonly yes?: true }, name: string) {
  await client.getWebhook({ name });
  await confirm(terminal, `Remove webhook ${name}?`, yes);
  await client.removeWebhook({ name });
  await print.done(`webhook ${name} removed`, { value: [], name });
}

async function test({ client, print }: Session, _options: object, name: string): Promise<void> {
  const { body: value } = await client.testWebhook({ name, body: {} });
  const more = value.status === null ? '' : `HTTP status ${value.status}`;
  await showChecked({ print }, { value, what: `webhook ${name}: test`, more });
}

async function resume({ client, print }: Session, _options: object, name: string): Promise<void> {
  const { body: value } = await client.resumeWebhook({ name, body: {} });
  await print.done(`webhook ${name} resumed`, { value, name });
}

export function addWebhookCommands(program: Command, cli: CommandLine): void {
  const noun = program.command('webhook').description('Manage webhooks');
  const name = ['<webhook>', 'Webhook name'] as const;
  noun
    .command('create')
    .description('Create a webhook, which sends new events to a URL')
    .argument(...name)
    .requiredOption('--url <url>', 'URL that receives the events')
    .option(
      '--event <type>',
      'Event type or group, for example host.status or operation.* (repeatable; default: all events)',
      several,
    )
    .option('--secret-stdin', 'Read the signing secret from stdin')
    .option('--replace', 'Replace the settings if the webhook exists')
    .addHelpText(
      'after',
      `
The command prompts for the signing secret, or reads it from stdin with
--secret-stdin.

Example:
  openssl rand -hex 32 | tee secret | hostler webhook create chat --url https://chat.example/hook --event 'host.*' --secret-stdin
`,
    )
    .action(cli.withSession(create));
  noun.command('list').description('List webhooks').addOption(watchOption()).action(cli.showing(list));
  noun
    .command('show')
    .description('Show a webhook and its delivery state')
    .argument(...name)
    .addOption(watchOption())
    .action(cli.showing(show));
  noun
    .command('test')
    .description('Send a test event and print the result')
    .argument(...name)
    .action(cli.withSession(test));
  noun
    .command('resume')
    .description('Resume a disabled or failing webhook')
    .argument(...name)
    .action(cli.withSession(resume));
  noun
    .command('remove')
    .description('Remove a webhook')
    .argument(...name)
    .addOption(yesOption())
    .action(cli.withSession(remove));
}
